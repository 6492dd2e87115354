import { expect, test } from "vitest";
import { nextTick, sharedTick } from "../../../src/host/monitors/ticks.ts";

test("ticks of one interval that are due at different times come together", () => {
  const dues = Array.from({ length: 1_000 }, (_, number) => 5_000 + number);
  expect(new Set(dues.map((due) => sharedTick(due, 1_000)))).toEqual(
    new Set([5_000, 5_250, 5_500, 5_750]),
  );
});

test.each([10, 333, 1_000, 90_000, 86_400_000])(
  "a tick of every %i ms comes never late, and at most a quarter or a second sooner",
  (interval) => {
    for (const due of [0, 1, 7.3, 999.9, 123_456.78]) {
      const sooner = due - sharedTick(due, interval);
      expect(sooner).toBeGreaterThanOrEqual(0);
      expect(sooner).toBeLessThanOrEqual(Math.min(interval / 4, 1_000));
    }
  },
);

test("the tick after one is an interval later, and those that went by are left out", () => {
  expect(nextTick(5_000, 1_000, 5_000)).toBe(6_000);
  expect(nextTick(5_000, 1_000, 4_990)).toBe(6_000);
  expect(nextTick(5_000, 1_000, 7_500)).toBe(8_000);
});
