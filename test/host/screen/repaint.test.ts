import { describe, expect, test } from "vitest";
import { bytesOf, modelOf, Viewer } from "./support.ts";

const SIZE = { cols: 40, rows: 6 };

function repaintOf(output: string): string {
  const model = modelOf(SIZE);
  model.feed(bytesOf(output), false);
  return new TextDecoder().decode(model.snapshot(0).bytes);
}

describe("a repaint", () => {
  test.each([
    ["a reversed screen", "\x1b[?5h", "\x1b[?5h"],
    ["older encodings of the mouse", "\x1b[?1005h\x1b[?1015h", "\x1b[?1005h\x1b[?1015h"],
    ["reports of the colour scheme", "\x1b[?2031h", "\x1b[?2031h"],
    ["other keys", "\x1b[>4;2m", "\x1b[>4;2m"],
    ["flags of the kitty keyboard", "\x1b[>1u\x1b[>5u", "\x1b[>1u\x1b[>5u"],
    ["flags that were set in place", "\x1b[=3;1u", "\x1b[=3;1u"],
    ["a colour that was set", "\x1b]4;1;#102030\x07", "\x1b]4;1;rgb:1010/2020/3030\x1b\\"],
    ["a ground that was set", "\x1b]11;rgb:ff/00/00\x07", "\x1b]11;rgb:ffff/0000/0000\x1b\\"],
    ["a title", "\x1b]0;my title\x07", "\x1b]2;my title\x1b\\"],
    [
      "a title that was put aside",
      "\x1b]0;one\x07\x1b[22t\x1b]2;two\x07",
      "\x1b]2;one\x1b\\\x1b[22;2t\x1b]2;two\x1b\\",
    ],
  ])("has %s, which a copy of the copy has too", (_, output, expected) => {
    const first = repaintOf(output);
    expect(first).toContain(expected);
    expect(repaintOf(first)).toBe(first);
  });

  test("has no flags of the keyboard that were taken back", () => {
    expect(repaintOf("\x1b[>5u\x1b[>7u\x1b[<9u")).toBe(repaintOf(""));
    expect(repaintOf("\x1b[>5u\x1bc")).toBe(repaintOf(""));
  });

  test("keeps the lines that a terminal has above its screen", async () => {
    const viewer = new Viewer(SIZE);
    await viewer.write("line\r\n".repeat(20));
    const { baseY } = viewer.terminal.buffer.normal;
    await viewer.write(repaintOf("new"));
    expect(viewer.terminal.buffer.normal.baseY).toBe(baseY);
    expect(viewer.terminal.buffer.normal.getLine(0)?.translateToString(true)).toBe("line");
  });

  test("begins a string that has become long with an opening of its own", async () => {
    const viewer = new Viewer(SIZE);
    await viewer.write(repaintOf(`shown\x1b]0;${"x".repeat(100_000)}`));
    await viewer.write("still the title\x07 and text");
    expect(viewer.terminal.buffer.active.getLine(0)?.translateToString(true)).toBe(
      "shown and text",
    );
  });

  test("puts what follows a character of a disputed width in its place on any terminal", async () => {
    const viewer = new Viewer(SIZE);
    viewer.terminal.unicode.activeVersion = "6";
    await viewer.write(repaintOf("a👍b"));
    const line = viewer.terminal.buffer.active.getLine(0);
    expect(line?.getCell(3)?.getChars()).toBe("b");
  });
});
