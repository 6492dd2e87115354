import fc from "fast-check";
import { expect, test } from "vitest";
import { GlobMatcher } from "../../../src/host/monitors/glob-matcher.ts";
import { LiteralMatcher } from "../../../src/host/monitors/literal-matcher.ts";
import type { Matcher } from "../../../src/host/monitors/matcher.ts";

/** Where the match is complete in pieces of the output, as an offset; -1 where there is none. */
function endIn(matcher: Matcher, pieces: readonly Uint8Array[]): number {
  let before = 0;
  for (const piece of pieces) {
    const taken = matcher.feed(piece);
    if (taken >= 0) return before + taken;
    before += piece.length;
  }
  return -1;
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)];
}

const letters = (max: number) =>
  fc.array(fc.constantFrom("a", "b", "é", "\n"), { maxLength: max }).map((all) => all.join(""));
const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });

test("a literal is found where it ends first, however the output is cut", () => {
  fc.assert(
    fc.property(letters(6), letters(60), sizes, (pattern, output, pieces) => {
      fc.pre(pattern !== "");
      const bytes = Buffer.from(output);
      const begin = bytes.indexOf(pattern);
      const expected = begin < 0 ? -1 : begin + Buffer.byteLength(pattern);
      expect(endIn(new LiteralMatcher(Buffer.from(pattern)), cut(bytes, pieces))).toBe(expected);
    }),
  );
});

test("a glob is found where it ends first, however the output is cut", () => {
  const globs = fc
    .array(fc.constantFrom("a", "b", "é", "?", "*"), { minLength: 1, maxLength: 7 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(globs, letters(40), sizes, (glob, output, pieces) => {
      const expression = new RegExp(
        `^.*?${glob.replaceAll("?", ".").replaceAll("*", ".*?")}`,
        "su",
      );
      const found = expression.exec(output)?.[0];
      const end = endIn(new GlobMatcher(glob), cut(Buffer.from(output), pieces));
      expect(end >= 0).toBe(found !== undefined && output !== "");
      // A `?` is met by the first byte of its character already.
      if (found !== undefined && output !== "" && !glob.includes("?") && /[^*]/.test(glob)) {
        expect(end).toBe(Buffer.byteLength(found));
      }
    }),
    { numRuns: 500 },
  );
});

test("a question mark stands for one character, of however many bytes", () => {
  const finds = (glob: string, output: string) =>
    new GlobMatcher(glob).feed(Buffer.from(output)) >= 0;
  expect(finds("caf? au", "un café au lait")).toBe(true);
  expect(finds("[?]", "[👍]")).toBe(true);
  expect(finds("[?]", "[ab]")).toBe(false);
  expect(finds("[?]", "[]")).toBe(false);
  expect(finds("?", "")).toBe(false);
});

test("a glob of 256 bytes is followed through all its words", () => {
  const glob = `${"ab?".repeat(85)}x`;
  const output = Buffer.from(`ab${"abz".repeat(85)}x`);
  expect(endIn(new GlobMatcher(glob), cut(output, [100, 31, 1, 33]))).toBe(output.length);
  expect(endIn(new GlobMatcher(glob), [output.subarray(0, -1)])).toBe(-1);
});

test("what has begun to match before an interruption does not go on after it", () => {
  for (const matcher of [new LiteralMatcher(Buffer.from("ready")), new GlobMatcher("re?dy")]) {
    expect(matcher.feed(Buffer.from("rea"))).toBe(-1);
    matcher.interrupt();
    expect(matcher.feed(Buffer.from("dy"))).toBe(-1);
    expect(matcher.feed(Buffer.from("ready"))).toBe(5);
  }
});
