import { describe, expect, test } from "vitest";
import { bytesOf, modelOf } from "./support.ts";

const SIZE = { cols: 10, rows: 4 };

function fed(output: string, size = SIZE) {
  const model = modelOf(size);
  model.feed(bytesOf(output), false);
  return model;
}

const captured = (
  output: string,
  options: { scrollback?: number; escapes?: boolean; joinWrapped?: boolean } = {},
) => fed(output).capture({ scrollback: 0, ...options });

describe("a capture", () => {
  test("has a line for each row, without blanks at the ends and without blank rows at the end", () => {
    expect(captured("  one   \r\n\r\n two \x1b[K\r\n").text).toBe("  one\n\n two");
    expect(captured("").text).toBe("");
  });

  test("joins rows that the width broke when asked to, and keeps what is blank within", () => {
    const output = "abcdefgh  ijk\r\nend";
    expect(captured(output).text).toBe("abcdefgh\nijk\nend");
    expect(captured(output, { joinWrapped: true }).text).toBe("abcdefgh  ijk\nend");
  });

  test("joins a wide character that found no room in the last column", () => {
    expect(captured("123456789漢字", { joinWrapped: true }).text).toBe("123456789漢字");
  });

  test("has the lines above the screen that were asked for and no more", () => {
    const output = Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\r\n");
    expect(captured(output, { scrollback: 0 }).text.split("\n")[0]).toBe("line 5");
    expect(captured(output, { scrollback: 2 }).text.split("\n")[0]).toBe("line 3");
    expect(captured(output, { scrollback: 99 }).text.split("\n")[0]).toBe("line 0");
  });

  test("has no history while a program has the alternate screen, and says so", () => {
    const output = `${"x\r\n".repeat(20)}\x1b[?1049h\x1b[Hfull`;
    expect(captured(output, { scrollback: 10 })).toEqual({ text: "full", alternate: true });
    expect(captured(`${output}\x1b[?1049l`).alternate).toBe(false);
  });

  test("with escapes begins and ends each line without attributes", () => {
    expect(captured("\x1b[1;31mred\r\nstill\x1b[m no", { escapes: true }).text).toBe(
      "\x1b[1;31mred\x1b[m\n\x1b[1;31mstill\x1b[m no",
    );
  });

  test("with escapes says only what changes", () => {
    expect(captured("\x1b[1ma\x1b[32mb\x1b[39mc", { escapes: true }).text).toBe(
      "\x1b[1ma\x1b[32mb\x1b[39mc\x1b[m",
    );
  });

  test("with escapes keeps blanks that can be seen", () => {
    expect(captured("a\x1b[44m  \x1b[m  ", { escapes: true }).text).toBe("a\x1b[44m  \x1b[m");
    expect(captured("a\x1b[44m  \x1b[m  ").text).toBe("a");
  });

  test("with escapes has no sequences but those of attributes", () => {
    const output =
      '\x1b[?1000h\x1b[?2004h\x1b]8;;https://a.example\x1b\\li\x1b]8;;\x1b\\\x1b[1"qp\x1b]2;t\x07';
    expect(captured(output, { escapes: true }).text).toBe("lip");
  });

  test("has what joins a character with it", () => {
    expect(captured("e\u0301 漢 👍!").text).toBe("e\u0301 漢 👍!");
  });
});

describe("history", () => {
  const lines = Array.from({ length: 700 }, (_, line) => `\x1b[3${line % 8}mline ${line}\x1b[m`);
  const model = modelOf(SIZE, 1000);
  model.feed(bytesOf(lines.join("\r\n")), false);
  const text = (from: number, count: number) =>
    new TextDecoder()
      .decode(model.history(from, count))
      .replace(/\x1b\[[^m]*m/g, "")
      .split("\r\n");

  test("comes in slices that end so far above the screen", () => {
    expect(text(0, 3)).toEqual(["line 693", "line 694", "line 695", ""]);
    expect(text(3, 2)).toEqual(["line 691", "line 692", ""]);
    expect(text(694, 10)).toEqual(["line 0", "line 1", ""]);
    expect(text(9999, 10)).toEqual([""]);
  });

  test("comes in slices of at most 500 lines", () => {
    expect(text(0, 100_000)).toHaveLength(501);
  });

  test("has its colours", () => {
    expect(new TextDecoder().decode(model.history(0, 1))).toBe("\x1b[37mline 695\x1b[m\r\n");
  });
});
