import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RING_MARGIN, Ring } from "../../../src/host/ring.ts";

/** Bytes that differ from their neighbours at any distance that a ring could confuse. */
const output = (from: number, length: number) =>
  Buffer.from(
    Array.from({ length }, (_, index) => ((from + index) * 31 + (from + index) / 251) & 0xff),
  );

describe("a ring", () => {
  test("answers with the last bytes at their offsets, whatever pieces they came in", () => {
    const pieces = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40_000 }), pieces, (limit, lengths) => {
        const ring = new Ring(limit);
        for (const length of lengths) ring.append(output(ring.end, length));
        const total = lengths.reduce((sum, length) => sum + length, 0);
        expect(ring.end).toBe(total);
        expect(ring.start).toBe(Math.max(0, total - limit));
        expect(ring.floor).toBe(Math.max(0, total - limit - RING_MARGIN));
        expect(ring.copy(ring.floor, total).equals(output(ring.floor, total - ring.floor))).toBe(
          true,
        );
      }),
      { numRuns: 60 },
    );
  });

  test("grows with the output and no further than its limit and margin", () => {
    const ring = new Ring(1024 * 1024);
    expect(ring.capacity).toBe(0);
    ring.append(Buffer.alloc(10));
    expect(ring.capacity).toBeLessThanOrEqual(4096);
    for (let round = 0; round < 40; round += 1) ring.append(Buffer.alloc(64 * 1024));
    expect(ring.capacity).toBe(1024 * 1024 + RING_MARGIN);
  });

  test("copies nothing to be read", () => {
    const ring = new Ring(100);
    ring.append(Buffer.from("abcdef"));
    const view = ring.slice(2, 3);
    expect(Buffer.from(view).toString()).toBe("cde");
    expect(ring.slice(3, 3).buffer).toBe(view.buffer);
    expect(ring.slice(6, 3)).toHaveLength(0);
  });

  test("refuses offsets that it does not have, and a limit that is none", () => {
    const ring = new Ring(10);
    ring.append(Buffer.alloc(RING_MARGIN + 20));
    expect(() => ring.slice(9, 1)).toThrow(/between 10 and/);
    expect(() => ring.slice(ring.end + 1, 1)).toThrow(RangeError);
    expect(() => ring.copy(ring.end - 1, ring.end + 1)).toThrow(RangeError);
    expect(() => new Ring(0)).toThrow("got 0");
  });
});
