import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Line } from "../../../src/host/screen/internals.ts";
import { LineMemory } from "../../../src/host/screen/line-memory.ts";
import { bytesOf, type Model, modelOf } from "./support.ts";

const SCROLLBACK = 300;
const SIZE = { cols: 40, rows: 10 };

/** What a program or a person does to a screen. */
const action = fc.oneof(
  fc.record({ lines: fc.integer({ min: 1, max: 400 }), long: fc.boolean() }),
  fc.record({ cols: fc.integer({ min: 2, max: 120 }), rows: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    text: fc.constantFrom(
      "\x1b[3J",
      "\x1b[2J\x1b[H",
      "\x1bc",
      "\x1b[?1049h",
      "\x1b[?1049l",
      "\x1b[2;5r\x1b[5;1H\n\n\n",
      "\x1b[5L",
      "漢字 e\u0301 ",
    ),
  }),
  fc.constant({ freeze: true as const }),
);

type Action = typeof action extends fc.Arbitrary<infer Given> ? Given : never;

function act(model: Model, what: Action, lines?: LineMemory): void {
  if ("freeze" in what) {
    model.freeze();
    lines?.forget();
  } else if ("cols" in what) {
    lines?.leave();
    model.resize(what.cols, what.rows);
  } else {
    model.feed(bytesOf(textOf(what)), false);
    lines?.settle(model.inside);
  }
}

function textOf(what: Exclude<Action, { freeze: true } | { cols: number }>): string {
  if ("text" in what) return what.text;
  const { lines, long } = what;
  return Array.from(
    { length: lines },
    (_, at) => `\x1b[3${at % 8}m${at} ${"w".repeat(long ? (at * 7) % 100 : 3)}\x1b[m\r\n`,
  ).join("");
}

const shown = (model: Model) => [
  model.capture({ scrollback: 1_000, escapes: true, joinWrapped: true }),
  model.snapshot(1_000).bytes,
];

test("a screen whose history lies in a memory of its own shows what it showed, whatever happens to it", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
      const own = modelOf(SIZE, SCROLLBACK);
      const plain = modelOf(SIZE, SCROLLBACK);
      const lines = new LineMemory(SCROLLBACK);
      for (const what of actions) {
        act(own, what, lines);
        act(plain, what);
      }
      expect(shown(own)).toEqual(shown(plain));
    }),
    { numRuns: 150 },
  );
});

test("lines that have left the screen lie in one memory, and each in an array of its own before the width changes", () => {
  const model = modelOf(SIZE, SCROLLBACK);
  const lines = new LineMemory(SCROLLBACK);
  const history = () => {
    const { normal } = model.inside.buffers;
    const found: Line[] = [];
    for (let row = 0; row < normal.ybase; row += 1) {
      const line = normal.lines.get(row);
      if (line !== undefined) found.push(line);
    }
    return found;
  };
  const memories = () => new Set(history().map((line) => line._data.buffer));
  act(model, { lines: 500, long: false }, lines);
  expect(history()).toHaveLength(SCROLLBACK);
  expect(memories().size).toBe(1);
  lines.leave();
  expect(memories().size).toBe(SCROLLBACK);
  act(model, { cols: 20, rows: 5 }, lines);
  act(model, { lines: 100, long: true }, lines);
  expect(memories().size).toBe(1);
});

test("what has written little has no memory for its history", () => {
  const model = modelOf(SIZE, SCROLLBACK);
  const lines = new LineMemory(SCROLLBACK);
  act(model, { lines: 60, long: false }, lines);
  const line = model.inside.buffers.normal.lines.get(0);
  expect(line?._data.buffer.byteLength).toBe(line?._data.byteLength);
});
