import { readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createProcessTable, processIdentity } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { afterThisTest, inAnyState, run, temporaryFolder } from "./support.ts";

function openTable(procRoot?: string) {
  const table = createProcessTable({ clock: systemClock, ...(procRoot && { procRoot }) });
  afterThisTest(() => table.close());
  return table;
}

describe.skipIf(process.platform !== "linux")("the process table", () => {
  it("reads procfs where it shows every process", () => {
    const table = openTable();
    expect(table.kind).toBe("procfs");
    expect(table.limited).toBeUndefined();
  });

  it("asks ps where there is no procfs", async () => {
    const table = openTable(temporaryFolder());
    expect(table).toMatchObject({ kind: "ps", limited: "no_proc" });
    expect((await table.sweep()).get(process.pid)?.parent).toBe(process.ppid);
    expect(table.bootId).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  });

  it("asks ps where procfs speaks of another pid namespace", () => {
    const root = temporaryFolder();
    symlinkSync(String(process.pid + 1), `${root}/self`);
    symlinkSync(`/proc/${process.pid}`, `${root}/${process.pid}`);
    symlinkSync("/proc/1", `${root}/1`);
    expect(openTable(root)).toMatchObject({ kind: "ps", limited: "no_proc" });
  });

  it("asks ps where procfs hides other users' processes, and still reads the user's own there", async () => {
    const env = { PATH: process.env["PATH"], MARK: "1" };
    const { pid, end } = await run("sleep", ["1000"], { env });
    // As the mount option `hidepid=2` shows it to somebody else than root.
    const root = temporaryFolder();
    symlinkSync(String(process.pid), `${root}/self`);
    for (const own of [process.pid, pid, "sys", "stat", "uptime"])
      symlinkSync(`/proc/${own}`, `${root}/${own}`);
    const table = openTable(root);
    expect(table).toMatchObject({ kind: "ps", limited: "hidden_proc" });

    const whole = openTable();
    const snapshot = await table.sweep();
    expect(table.bootId).toBe(whole.bootId);
    const own = whole.read(pid);
    expect(snapshot.get(pid)).toEqual(inAnyState(own));
    expect(table.read(pid)).toEqual(inAnyState(own));
    expect(table.argv(pid)).toEqual(["sleep", "1000"]);
    expect(table.cwd(pid)?.path).toBe(process.cwd());
    expect(table.environment(pid)?.get("MARK")).toBe("1");
    const began = [table, whole].map((each) => each.startedAt(own ?? { pid, startTick: "" }) ?? 0);
    expect(Math.abs((began[0] ?? 0) - (began[1] ?? 0))).toBeLessThanOrEqual(25);
    const held = table.hold(pid, own?.startTick ?? "");
    expect(held?.read()).toEqual(inAnyState(own));

    const first = snapshot.get(1);
    expect(first).toMatchObject({ pid: 1, parent: 0 });
    expect(table.read(1)).toEqual(first);
    expect(table.cwd(1)).toBeUndefined();
    const at = table.startedAt(first ?? { pid: 1, startTick: "" }) ?? 0;
    const readAt = whole.startedAt(whole.read(1) ?? { pid: 1, startTick: "" }) ?? 0;
    expect(Math.abs(at - readAt)).toBeLessThanOrEqual(2000);
    const newcomers = table.newcomers(new Set()).map((one) => one.pid);
    expect(newcomers).toContain(1);
    expect(newcomers.filter((one) => one === pid)).toEqual([pid]);

    await end();
    expect(held?.read()).toBeUndefined();
    expect(table.read(pid)).toBeUndefined();
    expect((await table.sweep()).get(pid)).toBeUndefined();
  });
});

describe("the identity of a process", () => {
  it("differs by boot, by number and by start", () => {
    const identities = ["a", "b"].flatMap((boot) =>
      [1, 11].flatMap((pid) =>
        ["1", "11"].map((startTick) => processIdentity(boot, { pid, startTick })),
      ),
    );
    expect(new Set(identities).size).toBe(8);
    expect(processIdentity("a", { pid: 1, startTick: "1" })).toBe(identities[0]);
  });
});
