import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, Lines } from "../../src/server/lines.ts";

function allOf(lines: Lines): Line[] {
  const taken: Line[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) taken.push(line);
  return taken;
}

const text = (lines: Line[]) => lines.map((line) => (line === "oversize" ? line : String(line)));

/** What a line is, told from the whole input at once. */
function model(input: Buffer, limit: number): string[] {
  return input
    .toString("latin1")
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.length > limit || /[^ \t\r]/.test(line))
    .map((line) => (line.length > limit ? "oversize" : line));
}

test("lines are the same however the bytes are cut into pieces", () => {
  const alphabet = fc.constantFrom("a", "b", "\n", "\n", " ", "\r", "\t", "\xff", "\0");
  fc.assert(
    fc.property(
      fc.array(alphabet, { maxLength: 200 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
      fc.boolean(),
      (letters, cuts, takeAtOnce) => {
        const input = Buffer.from(`${letters.join("")}\n`, "latin1");
        const lines = new Lines(8);
        const taken: Line[] = [];
        let offset = 0;
        for (const cut of [...cuts, input.length]) {
          lines.push(input.subarray(offset, offset + cut));
          offset += cut;
          if (takeAtOnce) taken.push(...allOf(lines));
        }
        taken.push(...allOf(lines));
        const seen = taken.map((line) => (line === "oversize" ? line : line.toString("latin1")));
        expect(seen).toEqual(model(input, 8));
        expect(lines.pending).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

test("a line at the limit passes and one byte more is oversize", () => {
  const lines = new Lines(4);
  lines.push(Buffer.from("abcd\nabcde\nx\n"));
  expect(text(allOf(lines))).toEqual(["abcd", "oversize", "x"]);
});

test("an oversize line is told at the byte that makes it so, once, and dropped to its newline", () => {
  const lines = new Lines(4);
  lines.push(Buffer.from("abc"));
  expect(allOf(lines)).toEqual([]);
  lines.push(Buffer.from("de"));
  expect(allOf(lines)).toEqual(["oversize"]);
  lines.push(Buffer.from("fghijklmnop"));
  expect(allOf(lines)).toEqual([]);
  lines.push(Buffer.from("q\nok\n"));
  expect(text(allOf(lines))).toEqual(["ok"]);
});

test("a line that came in pieces is not touched by the next one", () => {
  const lines = new Lines();
  lines.push(Buffer.from("fir"));
  lines.push(Buffer.from("st\nsec"));
  lines.push(Buffer.from("ond\n"));
  expect(text(allOf(lines))).toEqual(["first", "second"]);
});

test("a line of 1 MiB in single bytes is copied a bounded number of times", () => {
  const lines = new Lines();
  const byte = Buffer.from("a");
  for (let i = 0; i < 1_048_576; i++) {
    lines.push(byte);
    lines.next();
  }
  lines.push(Buffer.from("\n"));
  expect(lines.next()).toHaveLength(1_048_576);
});
