import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { endAll, place, script, until } from "./support.ts";

afterEach(endAll);

const KIB = 1024;

describe("what is typed into a tmux session", () => {
  test("reaches the program byte for byte, whatever it is", { timeout: 60_000 }, async () => {
    const made = place();
    const file = join(made.folder, "typed");
    const told = await script(
      await made.server(),
      `exec 3>'${file}'; stty raw -echo; echo ready; exec cat >&3`,
    );
    await told.says("ready");
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const parts = [
      Buffer.from("a"),
      every,
      Buffer.from("\x1b[200~;\\;#{pid} $(x) 'q' \"é\x00\n\r\t;"),
      Buffer.from([0xc3, 0xff, 0xfe, 0, 0xe2, 0x82]),
      randomBytes(64 * KIB),
      Buffer.from(";"),
      randomBytes(300 * KIB),
    ];
    for (const part of parts) expect(told.type(part)).toBe(part.length);
    const all = Buffer.concat(parts);
    await until(() => statSync(file).size >= all.length);
    expect(readFileSync(file).equals(all)).toBe(true);
    expect(told.pty.queued).toBe(0);
  });

  test("keeps its order key by key", async () => {
    const told = await script(await place().server(), "stty -echo; echo ready; read a; echo $a");
    await told.says("ready");
    const keys = "the quick brown fox jumps over the lazy dog";
    for (const key of keys) told.type(key);
    told.type("\n");
    await told.says(keys);
  });

  test("is taken up to a bound while the program does not read, and an interrupt passes it", {
    timeout: 60_000,
  }, async () => {
    const told = await script(
      await place().server(),
      "stty -icanon -echo; trap 'echo interrupted' INT; echo ready; while :; do sleep 1; done",
    );
    await told.says("ready");
    let taken = 0;
    const much = Buffer.alloc(256 * KIB, "x");
    const most = 1024 * KIB;
    // tmux has a piece, or two.
    for (let tries = 0; tries < 40; tries += 1) {
      taken += told.type(much);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(told.pty.queued).toBeLessThanOrEqual(most);
    expect(taken).toBeGreaterThanOrEqual(most);
    expect(taken).toBeLessThanOrEqual(most + 2 * 64 * KIB);
    expect(told.type("y")).toBe(0);
    told.pty.interrupt(Buffer.from("\x03"));
    await told.says("interrupted");
    expect(told.pty.queued).toBe(0);
  });

  test("after the program has ended is not taken, and harms no other session", async () => {
    const server = await place().server();
    const [one, two] = await Promise.all([
      script(server, "echo over"),
      script(server, 'while read word; do echo "got $word"; done'),
    ]);
    // Some of it is on its way when the program ends.
    while (one.exit === undefined) {
      one.type("x");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(one.type("x")).toBe(0);
    two.type("alive\n");
    await two.says("got alive");
  });

  test("is typed at the size that was asked for before", async () => {
    const told = await script(
      await place().server(),
      "echo ready; while read word; do stty size; done",
    );
    await told.says("ready");
    told.pty.resize(101, 33);
    told.pty.resize(102, 34);
    told.type("\n");
    await told.says("34 102");
    expect(told.text).not.toContain("33 101");
    expect(() => told.pty.resize(0, 5)).toThrow(/cols must be/);
  });
});
