import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterRest } from "../../../src/dashboard/terminal/rest.ts";

const page = { hidden: false };
let frames: (() => void)[] = [];

beforeEach(() => {
  page.hidden = false;
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** After how long something is done whose frame is drawn after so long, in milliseconds. */
function restedAfter(drawnMs: number): number {
  let doneAt: number | undefined;
  const began = Date.now();
  afterRest(() => {
    doneAt = Date.now() - began;
  });
  vi.advanceTimersByTime(drawnMs);
  for (const draw of frames) draw();
  vi.runAllTimers();
  if (doneAt === undefined) throw new Error("Expected that it is done, got that it is not");
  return doneAt;
}

test("a page rests for as long as it took to draw", () => {
  expect(restedAfter(16)).toBe(32);
});

test("a page that draws late rests for a bounded time", () => {
  expect(restedAfter(1_000)).toBe(1_100);
});

test("a page that nobody sees does not rest", () => {
  page.hidden = true;
  expect(restedAfter(0)).toBe(0);
  expect(frames).toEqual([]);
});
