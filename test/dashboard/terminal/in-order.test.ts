import { expect, test } from "vitest";
import { InOrder, type Parser } from "../../../src/dashboard/terminal/in-order.ts";

const KIB = 1024;

/** A parser that parses when the test says so, as xterm.js does at its own time. */
class LateParser implements Parser {
  readonly sizes: number[] = [];
  readonly log: string[] = [];
  #waiting: { bytes: Uint8Array; parsed: () => void }[] = [];

  get waiting(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  write(bytes: Uint8Array, parsed: () => void): void {
    this.sizes.push(bytes.length);
    this.#waiting.push({ bytes, parsed });
  }

  parse(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { bytes, parsed } of waiting) {
      this.log.push(new TextDecoder().decode(bytes));
      parsed();
    }
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("output is parsed at the size that it was printed for", () => {
  const parser = new LateParser();
  const order = new InOrder(parser);
  order.act(() => parser.log.push("80 wide"));
  order.write(bytes("old"), () => parser.log.push("old shown"));
  order.act(() => parser.log.push("40 wide"));
  order.write(bytes("new"), () => parser.log.push("new shown"));
  expect(parser.log).toEqual(["80 wide"]);
  parser.parse();
  expect(parser.log).toEqual(["80 wide", "old", "old shown", "40 wide"]);
  parser.parse();
  expect(parser.log.slice(4)).toEqual(["new", "new shown"]);
});

test("what comes anew does not wait for what was on its way", () => {
  const parser = new LateParser();
  const order = new InOrder(parser);
  order.write(bytes("a"), () => {});
  order.write(bytes("b"), () => {});
  order.anew(() => parser.log.push("reset"));
  order.write(bytes("c"), () => {});
  while (parser.waiting > 0) parser.parse();
  expect(parser.log).toEqual(["a", "reset", "c"]);
});

test("much is given in small slices, a bounded part at once, and is shown when all of it was parsed", () => {
  const parser = new LateParser();
  const order = new InOrder(parser);
  let isShown = false;
  order.write(new Uint8Array(1_000 * KIB), () => {
    isShown = true;
  });
  while (parser.waiting > 0) {
    expect(isShown).toBe(false);
    expect(parser.waiting).toBeLessThanOrEqual(128 * KIB);
    parser.parse();
  }
  expect(isShown).toBe(true);
  expect(Math.max(...parser.sizes)).toBeLessThanOrEqual(2 * KIB);
  expect(parser.sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000 * KIB);
});

test("nothing to parse is shown too", () => {
  const parser = new LateParser();
  const order = new InOrder(parser);
  let isShown = false;
  order.write(new Uint8Array(0), () => {
    isShown = true;
  });
  parser.parse();
  expect(isShown).toBe(true);
});
