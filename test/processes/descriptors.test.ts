import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_DESCRIPTORS } from "../../src/processes/descriptors.ts";
import { createProcfsTable } from "../../src/processes/procfs.ts";
import { createPsTable } from "../../src/processes/ps.ts";
import { systemClock } from "../../src/time/clock.ts";
import { afterThisTest, run, runShell, temporaryFolder } from "./support.ts";

function openTable() {
  const table = createProcfsTable({ clock: systemClock });
  afterThisTest(() => table.close());
  return table;
}

/** Opens this file so often, until the test ends. */
function openHere(path: string, times: number): void {
  const descriptors = Array.from({ length: times }, () => openSync(path, "r"));
  afterThisTest(() => {
    for (const descriptor of descriptors) closeSync(descriptor);
  });
}

describe.skipIf(process.platform !== "linux")("the files that a process holds open", () => {
  it("are told by their paths, also those that were deleted, and nothing that has no path", async () => {
    const folder = temporaryFolder();
    const kept = join(folder, "kept");
    const deleted = join(folder, "deleted file");
    const shell = await runShell(`exec 7>'${kept}' 8>'${deleted}'`);
    rmSync(deleted);
    const files = openTable().openFiles(shell.pid) ?? [];
    expect(files).toContain(kept);
    expect(files).toContain(`${deleted} (deleted)`);
    expect(files.filter((file) => !file.startsWith("/"))).toEqual([]);
  });

  it("are those of the moment", async () => {
    const path = join(temporaryFolder(), "file");
    const shell = await run("/bin/sh", [
      "-c",
      `exec 7>'${path}'; echo; read _; exec 7>&-; echo; read _`,
    ]);
    const table = openTable();
    await shell.line();
    expect(table.openFiles(shell.pid)).toContain(path);
    shell.write("\n");
    await shell.line();
    expect(table.openFiles(shell.pid)).not.toContain(path);
  });

  it("are a bounded number, however many it has", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    const table = openTable();
    openHere(path, MAX_DESCRIPTORS + 100);
    const files = table.openFiles(process.pid) ?? [];
    expect(files).toContain(path);
    expect(files.length).toBeLessThanOrEqual(MAX_DESCRIPTORS);
  });

  it("are looked at without a descriptor of ours staying open", () => {
    const table = openTable();
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    for (const pid of [process.pid, 1, 2 ** 22 + 1]) table.openFiles(pid);
    expect(open()).toBe(before);
  });

  it("are not known of a process that has ended", async () => {
    const shell = await runShell(":");
    await shell.end();
    expect(openTable().openFiles(shell.pid)).toBeUndefined();
  });

  it("are not known of another user's process", async (context) => {
    if (process.getuid?.() !== 0) context.skip();
    const table = openTable();
    process.seteuid?.(65_534);
    afterThisTest(() => process.seteuid?.(0));
    expect(table.openFiles(1)).toBeUndefined();
  });

  it("are what a procfs beside `ps` says, and without one not known", () => {
    const near = openTable();
    const beside = createPsTable({ clock: systemClock, limited: "hidden_proc", near });
    const alone = createPsTable({ clock: systemClock, limited: "no_proc" });
    afterThisTest(() => alone.close());
    afterThisTest(() => beside.close());
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    openHere(path, 1);
    expect(beside.openFiles(process.pid)).toContain(path);
    expect(alone.openFiles(process.pid)).toBeUndefined();
  });
});
