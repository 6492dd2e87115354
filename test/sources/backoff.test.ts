import { describe, expect, test } from "vitest";
import { Backoff } from "../../src/sources/backoff.ts";
import { FakeClock } from "../lib/fake-clock.ts";

/** How long it pauses after one more failure, in milliseconds. */
async function pauseAfterFailure(backoff: Backoff, clock: FakeClock): Promise<number> {
  backoff.failed();
  let ms = 0;
  for (; backoff.isPausing; ms += 500) await clock.advance(500);
  return ms;
}

describe("a place that fails", () => {
  test("is left alone for 1 s, then twice as long each time, and never longer than 60 s", async () => {
    const clock = new FakeClock();
    const backoff = new Backoff(clock);
    const pauses: number[] = [];
    for (let failures = 0; failures < 9; failures += 1)
      pauses.push(await pauseAfterFailure(backoff, clock));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  test("is left alone to the end of the pause and no longer", async () => {
    const clock = new FakeClock();
    const backoff = new Backoff(clock);
    backoff.failed();
    await clock.advance(999);
    expect(backoff.isPausing).toBe(true);
    await clock.advance(1);
    expect(backoff.isPausing).toBe(false);
  });

  test("for a want of ours is left alone for half a second, however often, and no longer for its own next failure", async () => {
    const clock = new FakeClock();
    const backoff = new Backoff(clock);
    for (let wants = 0; wants < 20; wants += 1) {
      backoff.lacked();
      await clock.advance(499);
      expect(backoff.isPausing).toBe(true);
      await clock.advance(1);
      expect(backoff.isPausing).toBe(false);
    }
    expect(await pauseAfterFailure(backoff, clock)).toBe(1_000);
  });

  test("is asked at once when something about it changed, and pauses shortly again after that", async () => {
    const clock = new FakeClock();
    const backoff = new Backoff(clock);
    expect(backoff.isPausing).toBe(false);
    for (let failures = 0; failures < 5_000; failures += 1) backoff.failed();
    expect(backoff.isPausing).toBe(true);
    backoff.reset();
    expect(backoff.isPausing).toBe(false);
    expect(await pauseAfterFailure(backoff, clock)).toBe(1_000);
  });
});
