import { expect, test } from "vitest";
import { OutputWindow } from "../../../src/host/channel/window.ts";

const WHOLE = 256 * 1024;

/** A viewer that takes so many bytes in a millisecond and acknowledges in steps; what its window is after a while. */
function settledSize(bytesInMs: number, step: number, burst = 1): number {
  const window = new OutputWindow();
  let now = 0;
  let untold = 0;
  for (let ms = 0; ms < 3_000; ms += burst) {
    now += burst;
    for (; window.room > 0; ) window.sent(window.slice, now);
    untold += Math.min(bytesInMs * burst, window.inFlight - untold);
    for (; untold >= step; untold -= step) window.acknowledged(step, now);
  }
  return window.size;
}

test("a quick viewer has the whole window", () => {
  expect(settledSize(50_000, 64 * 1024)).toBe(WHOLE);
});

test("a slow viewer has two of its steps and what takes it 10 ms", () => {
  expect(settledSize(625, 8 * 1024)).toBeLessThan(2 * 8 * 1024 + 7_000);
  const seeds = settledSize(625, 64 * 1024);
  expect(seeds).toBeGreaterThanOrEqual(128 * 1024);
  expect(seeds).toBeLessThan(625 * 250);
});

test("acknowledgements that come in bursts make no slow viewer a quick one", () => {
  expect(settledSize(625, 8 * 1024, 40)).toBeLessThan(2 * 8 * 1024 + 12_000);
});

test("a viewer that acknowledges the rest of a burst comes back to its step without a pause", () => {
  const window = new OutputWindow();
  let now = 0;
  const take = (bytes: number) => {
    now += 25;
    window.sent(bytes, now);
    window.acknowledged(bytes, now + 20);
  };
  for (let count = 0; count < 20; count += 1) take(8 * 1024);
  for (let count = 0; count < 10; count += 1) take(10);
  expect(window.size).toBeGreaterThan(8 * 1024);
});

test("more acknowledged than was sent counts as all of it", () => {
  const window = new OutputWindow();
  window.sent(1_000, 0);
  window.acknowledged(5_000, 1);
  expect(window.inFlight).toBe(0);
  window.sent(10, 2);
  expect(window.inFlight).toBe(10);
});

test("quiet before output says nothing of how fast it is taken", () => {
  const window = new OutputWindow();
  window.sent(1_000, 0);
  window.sent(128 * 1024, 60_000);
  window.acknowledged(64 * 1024, 60_001);
  window.acknowledged(64 * 1024, 60_021);
  expect(window.size).toBeGreaterThan(180 * 1024);
});
