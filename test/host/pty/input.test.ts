import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { INPUT_LIMIT_BYTES } from "../../../src/host/pty/input.ts";
import { endAll, script } from "./support.ts";

afterEach(endAll);

/** Bytes of all values. */
function mixed(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
  return bytes;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A program that never reads. */
const STUCK = "trap 'echo interrupted' INT; echo ready; while :; do sleep 0.02; done";

describe("input", () => {
  test("of 1 MiB reaches a raw program whole", async () => {
    const bytes = mixed(INPUT_LIMIT_BYTES);
    const terminal = script(`stty raw -echo; echo ready; head -c ${bytes.length} | sha256sum`);
    await terminal.says("ready");
    expect(terminal.pty.write(bytes)).toBe(bytes.length);
    await terminal.says(sha256(bytes));
    expect(terminal.pty.queued).toBe(0);
  });

  test("in many small pieces reaches the program in order", async () => {
    const bytes = mixed(300_000);
    const terminal = script(`stty raw -echo; echo ready; head -c ${bytes.length} | sha256sum`);
    await terminal.says("ready");
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(bytes.length - at, 1 + ((at * 7) % 1_000));
      const piece = Buffer.from(bytes.subarray(at, at + length));
      expect(terminal.pty.write(piece)).toBe(length);
      // The piece is the caller's again.
      piece.fill(0);
      at += length;
    }
    await terminal.says(sha256(bytes));
  });

  test("for a program that does not read is taken up to 1 MiB, and told truthfully", async () => {
    const terminal = script(`stty raw -echo; ${STUCK}`);
    await terminal.says("ready");
    const piece = Buffer.alloc(100_000, "x");
    let accepted = 0;
    for (let round = 0; round < 20; round += 1) accepted += terminal.pty.write(piece);
    expect(terminal.pty.queued).toBe(INPUT_LIMIT_BYTES);
    // Beyond what waits here is what the kernel took.
    expect(accepted).toBeGreaterThanOrEqual(INPUT_LIMIT_BYTES);
    expect(accepted).toBeLessThan(INPUT_LIMIT_BYTES + 100_000);
    expect(terminal.pty.write(piece)).toBe(0);
  });

  test("that waits costs next to nothing", async () => {
    const terminal = script(`stty raw -echo; ${STUCK.replace("sleep 0.02", "sleep 30")}`);
    await terminal.says("ready");
    terminal.pty.write(Buffer.alloc(INPUT_LIMIT_BYTES, "x"));
    const before = process.cpuUsage();
    const clock = script("sleep 1");
    await clock.exited;
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(0.05);
  });

  test.each([
    ["lines in cooked mode", "stty cooked", "a line\n"],
    ["one endless line in cooked mode", "stty cooked", "xxxxxxx"],
    ["without echo", "stty -echo", "a line\n"],
    ["raw, but with an interrupt key", "stty raw isig", "a line\n"],
  ])("an interrupt passes 1 MiB that nobody reads: %s", async (_, settings, text) => {
    const terminal = script(`${settings}; ${STUCK}`);
    await terminal.says("ready");
    terminal.pty.write(Buffer.alloc(INPUT_LIMIT_BYTES, text));
    const began = performance.now();
    terminal.pty.interrupt(Buffer.from("\x03"));
    await terminal.says("interrupted");
    expect(performance.now() - began).toBeLessThan(500);
    expect(terminal.pty.queued).toBe(0);
  });

  test("an interrupt passes what the kernel alone holds", async () => {
    const terminal = script(`stty -echo; ${STUCK}`);
    await terminal.says("ready");
    expect(terminal.pty.write(Buffer.alloc(8_000, "a line\n"))).toBe(8_000);
    terminal.pty.interrupt(Buffer.from("\x03"));
    await terminal.says("interrupted");
  });

  test("that is typed after an interrupt is not dropped with what came before", async () => {
    const terminal = script(
      'stty -echo; trap \'go=1\' INT; echo ready; while [ -z "$go" ]; do sleep 0.02; done; read line; echo "<$line>"',
    );
    await terminal.says("ready");
    terminal.pty.write(Buffer.alloc(INPUT_LIMIT_BYTES, "a line\n"));
    terminal.pty.interrupt(Buffer.from("\x03"));
    terminal.type("next\r");
    await terminal.says("<next>");
  });

  test("an interrupt takes away nothing that was typed by hand before it", async () => {
    const terminal = script("stty raw -echo; echo ready; sleep 0.1; head -c 4 | od -An -c");
    await terminal.says("ready");
    terminal.type("abc");
    terminal.pty.interrupt(Buffer.from("\x03"));
    await terminal.says(/a\s+b\s+c\s+003/);
  });
});
