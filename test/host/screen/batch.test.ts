import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Batch, FLOOD_ROOM } from "../../../src/host/screen/batch.ts";

test("a batch gives what was added, whole and in order, however it came", () => {
  const batch = new Batch(() => new ArrayBuffer(FLOOD_ROOM));
  for (const sizes of [[1], [3, 600, 17_000, 5], [65_536, 65_536, 200_000, 300_000], [400_000]]) {
    const pieces = sizes.map((size) => randomBytes(size));
    for (const piece of pieces) batch.add(piece);
    const whole = Buffer.concat(pieces);
    expect(batch.length).toBe(whole.length);
    expect(Buffer.from(batch.take()).equals(whole)).toBe(true);
    expect(batch.length).toBe(0);
  }
});

test("a batch copies: the caller's bytes may be written over", () => {
  const batch = new Batch(() => new ArrayBuffer(FLOOD_ROOM));
  const bytes = Uint8Array.of(1, 2, 3);
  batch.add(bytes);
  bytes.fill(9);
  expect([...batch.take()]).toEqual([1, 2, 3]);
});

test("what was taken is not written over by what comes next", () => {
  const batch = new Batch(() => new ArrayBuffer(FLOOD_ROOM));
  batch.add(Uint8Array.of(1));
  const taken = batch.take();
  batch.add(Uint8Array.of(2));
  expect([...taken]).toEqual([1]);
});

test("the last of a full batch fits into a flood's room", () => {
  let spares = 0;
  const batch = new Batch(() => {
    spares += 1;
    return new ArrayBuffer(FLOOD_ROOM);
  });
  while (!batch.isFull) batch.add(new Uint8Array(65_536));
  expect(batch.take().buffer.byteLength).toBe(FLOOD_ROOM);
  expect(spares).toBe(1);
});
