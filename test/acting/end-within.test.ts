import fc from "fast-check";
import { expect, test } from "vitest";
import { endWithin } from "../../src/acting/ops/end-within.ts";

const inJson = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test("the end of any text takes no more than the bytes that it may, and is an end", () => {
  const units = fc.string({
    unit: fc.constantFrom(
      "a",
      "\n",
      "\x1b",
      '"',
      "é",
      "あ",
      "😀",
      "\ud800",
      "\udc00",
      "\\",
      "\x7f",
    ),
    maxLength: 200,
  });
  fc.assert(
    fc.property(units, fc.nat(600), (text, bytes) => {
      const { text: end, left } = endWithin(text, bytes);
      expect(inJson(end)).toBeLessThanOrEqual(bytes);
      expect(text.slice(left)).toBe(end);
    }),
    { numRuns: 2_000 },
  );
});

test("a text that fits is whole", () => {
  const units = fc.string({ unit: fc.constantFrom("a", "\n", "\x1b", "あ", "😀") });
  fc.assert(
    fc.property(units, (text) => {
      expect(endWithin(text, inJson(text))).toEqual({ text, left: 0 });
    }),
  );
});

test("what is cut begins with a line, or with a character where there is one line", () => {
  expect(endWithin("aaaa\nbbbb\ncccc\n", 11)).toEqual({ text: "cccc\n", left: 10 });
  expect(endWithin("aaaa\nbbbb\ncccc", 9)).toEqual({ text: "cccc", left: 10 });
  expect(endWithin("x".repeat(50), 20)).toEqual({ text: "x".repeat(20), left: 30 });
  expect(endWithin("😀".repeat(10), 10)).toEqual({ text: "😀😀", left: 16 });
});
