import { describe, expect, it } from "vitest";
import { MAX_FRAME_BYTES } from "../../src/contract/envelope.ts";
import { encodeElement, encodeFrames } from "../../src/topics/frames.ts";

const shape = { field: "list", head: () => ({ topic: "t", instance: "i" }), rest: () => ({}) };
const empty = '{"ev":"topic","topic":"t","instance":"i","data":{"list":[]}}';

/** An element that takes so many bytes. */
const element = (bytes: number) =>
  encodeElement({ text: "x".repeat(bytes - '{"text":""}'.length) });

const lengths = (sizes: readonly number[]) =>
  encodeFrames([sizes.map(element)], shape).map(({ length }) => length - 1);

describe("frames", () => {
  it("are one line each, whatever is in them", () => {
    const [line, ...others] = encodeFrames([[encodeElement({ text: "a\nb" })]], shape);
    expect(others).toEqual([]);
    expect(line?.toString()).toBe(`${empty.slice(0, -3)}{"text":"a\\nb"}]}}\n`);
  });

  it("without elements state an empty list", () => {
    expect(encodeFrames([[]], shape).map(String)).toEqual([`${empty}\n`]);
    expect(encodeFrames([[]], { ...shape, field: undefined }).map(String)).toEqual([
      '{"ev":"topic","topic":"t","instance":"i","data":[]}\n',
    ]);
  });

  it("are filled to the byte, commas counted", () => {
    const room = MAX_FRAME_BYTES - empty.length;
    // Three elements and two commas.
    const sizes = [1_000, 2_000, room - 3_002];
    expect(lengths(sizes)).toEqual([MAX_FRAME_BYTES]);
    expect(lengths([...sizes, 500])).toEqual([MAX_FRAME_BYTES, empty.length + 500]);
    expect(lengths([1_001, ...sizes.slice(1)])).toEqual([
      empty.length + 1_001 + 1 + 2_000,
      empty.length + room - 3_002,
    ]);
    expect(lengths([...sizes, ...sizes])).toEqual([MAX_FRAME_BYTES, MAX_FRAME_BYTES]);
  });

  it("are filled to the byte with thousands of small elements", () => {
    for (const bytes of [20, 23]) {
      const all = lengths(Array(60_000).fill(bytes));
      for (const length of all.slice(0, -1)) {
        expect(length).toBeLessThanOrEqual(MAX_FRAME_BYTES);
        expect(length + 1 + bytes).toBeGreaterThan(MAX_FRAME_BYTES);
      }
    }
  });

  it("of several lists do not mix them", () => {
    const lists = [[element(20)], [element(30), element(40)]];
    const counts = encodeFrames(lists, shape).map(
      (line) => JSON.parse(line.toString()).data.list.length,
    );
    expect(counts).toEqual([1, 2]);
  });
});
