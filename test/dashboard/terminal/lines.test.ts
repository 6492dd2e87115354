import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, numbered } from "../../../src/dashboard/terminal/lines.ts";

const numbers = (lines: readonly Line[]) => lines.map(({ number }) => number);

test("lines keep their numbers while others leave above them, and new ones have new numbers", () => {
  const before = numbered([], "a\nb\nc");
  expect(numbers(before)).toEqual([0, 1, 2]);
  const after = numbered(before, "b\nc\nd\ne");
  expect(after).toEqual([
    { number: 1, text: "b" },
    { number: 2, text: "c" },
    { number: 3, text: "d" },
    { number: 4, text: "e" },
  ]);
});

test("a line that is still being written is the same line", () => {
  const before = numbered([], "$ ls\nfile\n$ ");
  expect(numbers(numbered(before, "$ ls\nfile\n$ make"))).toEqual([0, 1, 2]);
});

test("a screen that is written anew keeps the places of its lines", () => {
  expect(numbers(numbered(numbered([], "a\nb"), "x\ny"))).toEqual([0, 1]);
});

test("a text of which nothing is left has new lines alone", () => {
  expect(numbers(numbered(numbered([], "a\nb"), "x\ny\nz"))).toEqual([2, 3, 4]);
});

test("whatever came before, the lines are the text, numbered one by one", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n") });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const lines = numbered(numbered([], one), other);
      expect(lines.map(({ text: line }) => line).join("\n")).toBe(other);
      const first = lines[0]?.number ?? 0;
      expect(numbers(lines)).toEqual(lines.map((_, at) => first + at));
    }),
  );
});
