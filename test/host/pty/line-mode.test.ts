import { Buffer } from "node:buffer";
import { afterEach, expect, test } from "vitest";
import { hasLongLine, LONGEST_LINE_BYTES, readLineMode } from "../../../src/host/pty/line-mode.ts";
import { endAll, script } from "./support.ts";

afterEach(endAll);

test.each([
  ["stty cooked echo", { canonical: true, echo: true }],
  ["stty cooked -echo", { canonical: true, echo: false }],
  ["stty raw -echo", { canonical: false, echo: false }],
])("how a terminal treats what is typed can be asked: %s", async (settings, mode) => {
  const terminal = script(`${settings}; printf ready; sleep 30`);
  await terminal.says("ready");
  expect(await readLineMode(terminal.pty.tty)).toEqual(mode);
});

test("of a terminal that is not there nothing is known", async () => {
  expect(await readLineMode("/dev/pts/nowhere")).toBeUndefined();
});

test("a line of 4 095 bytes reaches a program whole, and a longer one is known to be cut", async () => {
  const line = "x".repeat(LONGEST_LINE_BYTES);
  expect(hasLongLine(Buffer.from(`${line}\r${line}\n`))).toBe(false);
  expect(hasLongLine(Buffer.from(`short\r${line}y\r`))).toBe(true);
  for (const [typed, reached] of [
    [line, LONGEST_LINE_BYTES],
    [`${line}yyyy`, LONGEST_LINE_BYTES],
  ] as const) {
    const terminal = script("stty -echo; printf ready; head -n 1 | tr -d '\\n' | wc -c");
    await terminal.says("ready");
    terminal.type(`${typed}\r`);
    await terminal.says(`ready${reached}\r\n`);
  }
});
