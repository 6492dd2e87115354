import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Seen } from "../server/views/support.ts";
import { acting, row } from "./acting.ts";
import type { Publisher } from "./support.ts";
import { HostPlace } from "./terminal/support.ts";

/** Looks at a terminal through the publisher. */
function look({ ready, token }: Publisher, id: string, options: { readOnly?: boolean } = {}): Seen {
  return new Seen(ready, id, { token, ...options });
}

/** A publisher, and a terminal of its host that runs a program. */
async function opened(...exec: string[]) {
  const place = new HostPlace();
  const publisher = await place.serve(["--source", "pty"]);
  const { id } = await acting(publisher).terminal.open({ cwd: "/", exec, cols: 60, rows: 10 });
  return { place, publisher, id };
}

describe("a view through the publisher", () => {
  test("shows a terminal, takes what is typed, and ends with it", async () => {
    const { publisher, id } = await opened("sh", "-c", "echo before; exec cat");
    const seen = look(publisher, id);
    await seen.says("before");
    expect(seen.terminal).toMatchObject({ id, cols: 60, rows: 10 });
    seen.type("typed\n");
    await seen.says("typed\r\ntyped");
    await acting(publisher).terminal.close(id, { force: true });
    await seen.ended();
    expect(seen.isClosed).toBe(true);
    const late = look(publisher, id);
    await late.ended();
    expect(late.error).toMatchObject({ reason: "gone", code: 4404 });
  });

  test("of a terminal that was opened a moment ago is there at once, however many were", async () => {
    const place = new HostPlace();
    const publisher = await place.serve(["--source", "pty"]);
    const { terminal } = acting(publisher);
    // The second of two comes while the host has just said something, and says nothing more for some milliseconds.
    for (let count = 0; count < 5; count += 1) {
      const opening = [1, 2].map(() => terminal.open({ cwd: "/", exec: ["cat"] }));
      for (const { id } of await Promise.all(opening)) {
        const seen = look(publisher, id);
        await seen.until(() => seen.terminal !== undefined || seen.error !== undefined);
        expect(seen.error).toBeUndefined();
      }
    }
  });

  test("is lost when the host is killed, and gone after that", async () => {
    const { place, publisher, id } = await opened("cat");
    const seen = look(publisher, id);
    await seen.attached();
    await place.endHost("SIGKILL");
    await seen.ended();
    expect(seen.error).toMatchObject({ reason: "lost", code: 4503 });
    const reasons = async (): Promise<string> => {
      const again = look(publisher, id);
      await again.ended();
      const reason = again.error?.reason ?? "closed";
      // Until the publisher has noticed, it has the row.
      return reason === "lost" ? reasons() : reason;
    };
    expect(await reasons()).toBe("gone");
  });

  test.each([
    ["stops", "SIGTERM", 1001],
    ["restarts", "SIGHUP", 1012],
  ] as const)(
    "is lost when the publisher %s, and the terminal lives on",
    async (_, signal, code) => {
      const { place, publisher, id } = await opened("sh", "-c", "echo before; exec cat");
      const seen = look(publisher, id);
      await seen.says("before");
      publisher.program.signal(signal);
      await seen.ended();
      expect(seen.error).toMatchObject({ reason: "lost", code });
      await publisher.program.ended;
      const next = await place.serve(["--source", "pty"]);
      const again = look(next, id);
      await again.says("before");
    },
  );

  test("of a session of hyoui is its attach command, and is in no list", async () => {
    const place = new HostPlace();
    const bin = join(place.folder, "bin");
    mkdirSync(bin);
    const session = { session: "build-1", status: "live", child_state: "running", argv: ["cat"] };
    const script = `case "$1" in list) echo '${JSON.stringify(session)}';; attach) echo here; exec cat;; esac`;
    writeFileSync(join(bin, "hyoui"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    place.env["PATH"] = `${bin}:${process.env["PATH"]}`;
    const publisher = await place.serve(["--source", "hyoui", "--source", "pty"]);
    const { id } = await row(publisher, (one) => one.id.startsWith("hyoui:"));
    const seen = look(publisher, id);
    await seen.says("here");
    seen.type("typed\n");
    await seen.says("typed\r\ntyped");
    // A terminal that is opened after it shows in the list, and it does not.
    const opened = await acting(publisher).terminal.open({ cwd: "/", exec: ["cat"] });
    const listed: string[] = [];
    await row(publisher, (one) => {
      listed.push(one.id);
      return one.id === opened.id;
    });
    expect(listed.filter((one) => one.startsWith("pty:"))).toEqual([opened.id]);
  });
});
