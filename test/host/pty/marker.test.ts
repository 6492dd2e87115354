import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MarkerFilter, randomMarker } from "../../../src/host/pty/marker.ts";

/** Cuts bytes at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  const pieces: Buffer[] = [];
  let from = 0;
  for (const to of [...sorted, bytes.length]) {
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

/** Text that often looks like the beginning of a marker. */
const alike = (marker: Buffer) =>
  fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.integer({ min: 0, max: marker.length - 1 }).map((end) => marker.subarray(0, end)),
      ),
      { maxLength: 8 },
    )
    .map((parts) => Buffer.concat(parts));

test("a marker is taken out of the stream wherever it is cut, and nothing else", () => {
  const marker = randomMarker();
  const text = alike(marker);
  fc.assert(
    fc.property(text, text, fc.array(fc.nat(), { maxLength: 12 }), (before, after, places) => {
      fc.pre(Buffer.concat([before, after]).indexOf(marker) < 0);
      const filter = new MarkerFilter(marker);
      const kept = cut(Buffer.concat([before, marker, after]), places).map((piece) =>
        Buffer.from(filter.push(piece)),
      );
      expect(filter.isFound).toBe(true);
      expect(Buffer.concat([...kept, filter.rest()])).toEqual(Buffer.concat([before, after]));
    }),
  );
});

test("without a marker the stream is what it was", () => {
  const marker = randomMarker();
  fc.assert(
    fc.property(alike(marker), fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
      fc.pre(text.indexOf(marker) < 0);
      const filter = new MarkerFilter(marker);
      const kept = cut(text, places).map((piece) => Buffer.from(filter.push(piece)));
      expect(Buffer.concat([...kept, filter.rest()])).toEqual(text);
      expect(filter.isFound).toBe(false);
    }),
  );
});

test("no two markers are alike", () => {
  expect(randomMarker()).not.toEqual(randomMarker());
});
