import fc from "fast-check";
import { expect, test } from "vitest";
import { Deadlines } from "../../../src/host/monitors/deadlines.ts";
import { FakeClock } from "../../lib/fake-clock.ts";

test("tasks run at their times, those that were cancelled never, on one timer", async () => {
  const task = fc.record({ at: fc.integer({ min: 0, max: 200 }), isCancelled: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 150 }), async (tasks) => {
      const clock = new FakeClock();
      const deadlines = new Deadlines(clock);
      const ran: number[] = [];
      const cancels = tasks.map(({ at }) =>
        deadlines.at(at, () => {
          expect(clock.monotonic()).toBe(at);
          ran.push(at);
        }),
      );
      tasks.forEach(({ isCancelled }, index) => {
        if (isCancelled) cancels[index]?.();
      });
      const left = tasks.filter(({ isCancelled }) => !isCancelled).map(({ at }) => at);
      expect(clock.pending).toBe(left.length === 0 ? 0 : 1);
      await clock.advance(200);
      expect(ran).toEqual(left.sort((a, b) => a - b));
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test("a time that no timer holds is waited for in parts", async () => {
  const clock = new FakeClock();
  const deadlines = new Deadlines(clock);
  const year = 365 * 24 * 60 * 60 * 1_000;
  let ranAt = 0;
  deadlines.at(year, () => {
    ranAt = clock.monotonic();
  });
  await clock.advance(year - 1);
  expect(ranAt).toBe(0);
  await clock.advance(1);
  expect(ranAt).toBe(year);
});

test("a task may arrange the next one, and cancelling what has run does nothing", async () => {
  const clock = new FakeClock();
  const deadlines = new Deadlines(clock);
  const ran: number[] = [];
  let cancel = () => {};
  const arm = (at: number) => {
    cancel = deadlines.at(at, () => {
      ran.push(at);
      cancel();
      if (at < 30) arm(at + 10);
    });
  };
  arm(10);
  await clock.advance(100);
  expect(ran).toEqual([10, 20, 30]);
});
