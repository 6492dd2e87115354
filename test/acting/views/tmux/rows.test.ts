import { describe, expect, test } from "vitest";
import { Pastes } from "../../../../src/acting/views/tmux/pastes.ts";
import { RowReader } from "../../../../src/acting/views/tmux/row-reader.ts";

const bytesOf = async (...lines: string[]) =>
  (await new RowReader().read(lines, 80)).map(({ bytes }) => bytes);

describe("a line of a capture", () => {
  test("stands for itself: what went on from the line before is in it, and it ends plain", async () => {
    expect(await bytesOf("\x1b[1m\x1b[31mred", "red too\x1b[0m plain", "plain")).toEqual([
      "\x1b[0;1;31mred\x1b[m",
      "\x1b[0;1;31mred too\x1b[m plain",
      "plain",
    ]);
  });

  test("has no blanks at its end that nobody sees, and those that somebody does", async () => {
    expect(await bytesOf("a  b   ", "\x1b[4ma \x1b[0m   ")).toEqual(["a  b", "\x1b[0;4ma \x1b[m"]);
  });

  test("passes on attributes and links, and no other sequence or control", async () => {
    const foreign = "\x1b[2J\x1b]0;title\x07\x1bPq\x1b\\\x9b31m\x07\x00\x1b[?1000h\x1b[6n\x85";
    const [row = ""] = await bytesOf(`a${foreign}b`);
    expect([...row].filter((character) => /[\0-\x1f\x7f-\x9f]/.test(character))).toEqual([]);
    expect(await bytesOf("\x1b]8;id=1;https://example.org/\x1b\\link\x1b]8;;\x1b\\ text")).toEqual([
      "\x1b]8;id=1;https://example.org/\x1b\\link\x1b]8;;\x1b\\ text",
    ]);
  });

  test("has lines for the letters that tmux writes for them, up to where it says so", async () => {
    expect(await bytesOf("\x0elqk", "x\x0fx")).toEqual(["┌─┐", "│x"]);
  });

  test("has an overline where tmux misspells it as blinking of a third kind", async () => {
    expect(await bytesOf("\x1b[5:3mover\x1b[0;4:3mcurly\x1b[0m")).toEqual([
      "\x1b[0;53mover\x1b[0;4:3mcurly\x1b[m",
    ]);
  });

  test("says how wide it is and what its last cell is, but not where terminals differ about that", async () => {
    const read = await new RowReader().read(["ab\x1b[31mc", "\x1b[0m日本", "a😀", ""], 80);
    expect(read.map(({ width, last }) => [width, last])).toEqual([
      [3, { bytes: "\x1b[0;31mc\x1b[m", width: 1 }],
      [4, { bytes: "本", width: 2 }],
      [3, undefined],
      [0, undefined],
    ]);
  });

  test("is read once while it is the same, after the same", async () => {
    const reader = new RowReader();
    const [first] = await reader.read(["same", "\x1b[1mrest"], 80);
    expect((await reader.read(["same", "other"], 80))[0]).toBe(first);
    expect((await reader.read(["\x1b[7m", "same"], 80))[1]?.bytes).toBe("\x1b[0;7msame\x1b[m");
  });
});

test("what a viewer pastes is told from what it types, wherever its messages end", () => {
  const pastes = new Pastes();
  const parts = (text: string) =>
    pastes.parts(Buffer.from(text)).map(({ bytes, isPaste }) => [bytes.toString(), isPaste]);
  expect(parts("a\x1b[200~one\x1b[201~b\x1b[200~two")).toEqual([
    ["a", false],
    ["one", true],
    ["b", false],
    ["two", true],
  ]);
  expect(parts("more\x1b[201~")).toEqual([["more", true]]);
  expect(parts("\x1b[201~\x1b")).toEqual([["\x1b[201~\x1b", false]]);
  expect(parts("")).toEqual([]);
});
