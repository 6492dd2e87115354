import { expect, test } from "vitest";
import { FrameMemory } from "../../../src/host/channel/frame-memory.ts";

test("memory that was given back is given out again, in any length", () => {
  const memory = new FrameMemory(65_541);
  const first = memory.take(65_541);
  memory.giveBack(first);
  const second = memory.take(10_000);
  expect(second).toHaveLength(10_000);
  expect(second.buffer).toBe(first.buffer);
});

test("memory that was not given back is nobody else's", () => {
  const memory = new FrameMemory(65_541);
  expect(memory.take(65_541).buffer).not.toBe(memory.take(65_541).buffer);
});

test("small frames and those longer than the size get memory of their own", () => {
  const memory = new FrameMemory(65_541);
  for (const length of [5, 100_000]) {
    const frame = memory.take(length);
    expect(frame).toHaveLength(length);
    memory.giveBack(frame);
    expect(memory.take(65_541).buffer).not.toBe(frame.buffer);
  }
});

test("no more is kept than twenty frames", () => {
  const memory = new FrameMemory(65_541);
  const frames = Array.from({ length: 30 }, () => memory.take(65_541));
  for (const frame of frames) memory.giveBack(frame);
  const kept = new Set(frames.map(({ buffer }) => buffer));
  const again = Array.from({ length: 30 }, () => memory.take(65_541));
  expect(again.filter(({ buffer }) => kept.has(buffer))).toHaveLength(20);
});
