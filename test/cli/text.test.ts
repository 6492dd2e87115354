import fc from "fast-check";
import { expect, test } from "vitest";
import { cells, clean, cut, jsonLine } from "../../src/cli/text.ts";

test("clean text holds nothing that a terminal obeys", () => {
  expect(clean("a\x1b[2Jb\r\nc\u009b1md\u202ee\u2028f")).toBe("a [2Jb c 1md e f");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(clean(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test("JSON for a terminal holds no controls and parses to the same value", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (value) => {
      const line = jsonLine(value);
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("text takes the cells that a terminal gives it", () => {
  const widths = ["", "abc", "é", "e\u0301", "日本", "🦀", "👩‍💻", "❤\ufe0f", "ﬀ"].map(cells);
  expect(widths).toEqual([0, 3, 1, 1, 4, 2, 2, 2, 1]);
});

test("what is cut says at which end, and never takes more cells than it may", () => {
  expect(cut("abcdef", 6)).toBe("abcdef");
  expect(cut("abcdef", 4)).toBe("abc…");
  expect(cut("abcdef", 4, "start")).toBe("…def");
  expect(cut("日本語", 4)).toBe("日…");
  expect(cut("abc", 0)).toBe("");
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.nat(40),
      fc.boolean(),
      (text, width, atStart) => {
        const shown = cut(clean(text), width, atStart ? "start" : "end");
        expect(cells(shown)).toBeLessThanOrEqual(width);
      },
    ),
  );
});
