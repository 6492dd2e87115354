import { describe, expect, test } from "vitest";
import { ColourAnswers } from "../../../src/cli/terminal/own-colours.ts";

/** What is known after these sequences, and which of them were answers. */
function told(...parts: string[]) {
  const answers = new ColourAnswers();
  const taken = parts.filter((part) => answers.takes(part));
  return { theme: answers.theme, isComplete: answers.isComplete, taken };
}

const ATTRIBUTES = "\x1b[?62;22c";

describe("the colours of a person's terminal", () => {
  test.each([
    [
      "xterm",
      "\x1b]10;rgb:d3d3/d7d7/cfcf\x1b\\",
      "\x1b]11;rgb:2e2e/3434/3636\x1b\\",
      0xd3d7cf,
      0x2e3436,
    ],
    ["two digits", "\x1b]10;rgb:00/00/00\x07", "\x1b]11;rgb:ff/ff/F0\x07", 0x000000, 0xfffff0],
    ["one digit", "\x1b]10;rgb:f/8/0\x07", "\x1b]11;rgb:0/0/0\x07", 0xff8800, 0x000000],
    [
      "with opacity",
      "\x1b]10;rgba:ff/ff/ff/80\x07",
      "\x1b]11;rgba:0/0/0/80\x07",
      0xffffff,
      0x000000,
    ],
    ["as in HTML", "\x1b]10;#102030\x07", "\x1b]11;#a0b0c0\x07", 0x102030, 0xa0b0c0],
  ])("are told by %s", (_, first, second, foreground, background) => {
    const { theme, isComplete, taken } = told(first, second, ATTRIBUTES);
    expect(theme).toMatchObject({ foreground, background });
    expect([isComplete, taken]).toEqual([true, [first, second, ATTRIBUTES]]);
  });

  test("are dark or light by how bright the background looks", () => {
    const scheme = (background: string) =>
      told("\x1b]10;#808080\x07", `\x1b]11;#${background}\x07`).theme?.scheme;
    expect(["000000", "0000ff", "ff0000", "002b36"].map(scheme)).toEqual(Array(4).fill("dark"));
    expect(["ffffff", "00ff00", "fdf6e3"].map(scheme)).toEqual(Array(3).fill("light"));
  });

  test("are not known where the terminal tells one of them or none", () => {
    expect(told(ATTRIBUTES)).toMatchObject({ theme: undefined, isComplete: true });
    expect(told("\x1b]11;#000000\x07", ATTRIBUTES).theme).toBeUndefined();
    expect(told("\x1b]10;#000000\x07", "\x1b]11;none\x07").theme).toBeUndefined();
  });
});

test("keys and what comes after the last answer are no answers", () => {
  const keys = ["\x1b[A", "a", "\x1b", "\x1b]4;1;rgb:0/0/0\x07", "\x1b[12;40R", "\x1b[>1;2c"];
  expect(told(...keys).taken).toEqual([]);
  const late = "\x1b]11;#000000\x07";
  expect(told(ATTRIBUTES, late, ATTRIBUTES).taken).toEqual([ATTRIBUTES]);
});
