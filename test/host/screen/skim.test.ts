import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, type Model, modelOf } from "./support.ts";

const SIZE = { cols: 12, rows: 3 };
const SCROLLBACK = 4;

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, line) => `${text} ${line}\r\n`).join("");

/** All that can be seen of a screen, and all that a viewer would be given. */
const seen = (model: Model) => {
  const { bytes, end } = model.snapshot(SCROLLBACK);
  const captured = model.capture({ scrollback: SCROLLBACK, escapes: true });
  return { captured, painted: Buffer.from(bytes).toString(), end };
};

const fedWhole = (text: string) => {
  const model = modelOf(SIZE, SCROLLBACK);
  model.feed(bytesOf(text), false);
  return model;
};

/** Fed in pieces, of each of which the front is skimmed first. */
function fedSkimmed(pieces: readonly Uint8Array[]): { model: Model; skimmed: number } {
  const model = modelOf(SIZE, SCROLLBACK);
  let skimmed = 0;
  for (const piece of pieces) {
    const passed = model.skim(piece, 1);
    skimmed += passed;
    model.feed(piece.subarray(passed), false);
  }
  return { model, skimmed };
}

const unit = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("word ", "漢字", "é", "\t", "\b", "\x07", "x".repeat(30)),
  },
  { weight: 12, arbitrary: fc.constantFrom("\r\n", "one\r\n", "two\r\n", "\n", "\r") },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "\x1b[m",
      "\x1b[0m",
      "\x1b[0;1m",
      "\x1b[31m",
      "\x1b[4:3;58;5;9m",
      "\x1b[48;2;1;2;3m",
      "\x1b[K",
      "\x1b[1K",
      "\x1b[5G",
      "\x1b[2C",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "\x1b[H",
      "\x1b[2A",
      "\x1b[J",
      "\x1b[2;3r",
      "\x1b[r",
      "\x1b[?1049h",
      "\x1b[?1049l",
      "\x1b[?7l",
      "\x1b[4h",
      "\x1b]2;title\x07",
      "\x1b]8;;https://example.org\x1b\\",
      "\x1b]8;;\x1b\\",
      "\x1b(0",
      "\x0e",
      "\x1b7",
      "\x1b8",
      "\x1bM",
      "\u0084",
      "\u009b2A",
      "\x1b[3b",
      "e\u0301",
    ),
  },
);

describe("skimming output", () => {
  test("leaves the same screen, history, style and place in the output", () => {
    let skimmed = 0;
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 40, maxLength: 200 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 3 }),
        (units, cuts) => {
          const text = units.join("");
          const bytes = bytesOf(text);
          const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
          const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
          const found = fedSkimmed(pieces);
          skimmed += found.skimmed;
          expect(seen(found.model)).toEqual(seen(fedWhole(text)));
        },
      ),
      { numRuns: 500 },
    );
    expect(skimmed).toBeGreaterThan(0);
  });

  test("passes over nearly all of a flood of lines", () => {
    const text = lines(1_000);
    const { model, skimmed } = fedSkimmed([bytesOf(text)]);
    expect(text.length - skimmed).toBeLessThan(200);
    expect(seen(model)).toEqual(seen(fedWhole(text)));
  });

  test("keeps a colour that was set in what it passed over", () => {
    const text = `\x1b[31mred\r\n${lines(100)}`;
    const { model, skimmed } = fedSkimmed([bytesOf(text)]);
    expect(skimmed).toBeGreaterThan(0);
    expect(model.capture({ scrollback: 0, escapes: true }).text).toContain("\x1b[31m");
  });

  test.each([
    ["a question", "\x1b[6n"],
    ["a title", "\x1b]2;title\x07"],
    ["another cursor row", "\x1b[2A"],
    ["an enquiry", "\x05"],
    ["a control of two bytes", "\u0085"],
    ["a prefixed sequence that ends like a style", "\x1b[>4;1m"],
  ])("stops at %s", (_, sequence) => {
    const { skimmed } = fedSkimmed([bytesOf(`ab${sequence}${lines(100)}`)]);
    expect(skimmed).toBe(0);
  });

  test.each([
    ["a program has the alternate screen", "\x1b[?1049h"],
    ["only a part of the screen scrolls", "\x1b[1;2r"],
    ["a sequence is open", "\x1b]2;a title that has not ended"],
    ["a character is open", "\xe6"],
  ])("does nothing while %s", (_, before) => {
    const model = modelOf(SIZE, SCROLLBACK);
    model.feed(before === "\xe6" ? Uint8Array.of(0xe6) : bytesOf(before), false);
    expect(model.skim(bytesOf(lines(100)), 1)).toBe(0);
  });
});
