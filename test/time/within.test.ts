import { describe, expect, test } from "vitest";
import { within } from "../../src/time/within.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";

function waiting(work: Promise<unknown>, signal?: AbortSignal) {
  const clock = new FakeClock();
  let isOver = false;
  void within(clock, 100, work, signal).then(() => {
    isOver = true;
  });
  return { clock, isOver: () => isOver };
}

describe("work within a time", () => {
  test("is waited for until it is done, also where it fails, and then no timer is left", async () => {
    for (const work of [async () => {}, () => Promise.reject(new Error("no"))]) {
      const { clock, isOver } = waiting(work());
      await settled();
      expect([isOver(), clock.pending]).toEqual([true, 0]);
    }
  });

  test("is waited for no longer than that", async () => {
    const { clock, isOver } = waiting(new Promise(() => {}));
    await clock.advance(99);
    expect(isOver()).toBe(false);
    await clock.advance(1);
    expect(isOver()).toBe(true);
  });

  test("is not waited for once the signal says so, before or in between", async () => {
    const before = waiting(new Promise(() => {}), AbortSignal.abort());
    await settled();
    expect([before.isOver(), before.clock.pending]).toEqual([true, 0]);
    const stopping = new AbortController();
    const between = waiting(new Promise(() => {}), stopping.signal);
    await settled();
    expect(between.isOver()).toBe(false);
    stopping.abort();
    await settled();
    expect([between.isOver(), between.clock.pending]).toEqual([true, 0]);
  });
});
