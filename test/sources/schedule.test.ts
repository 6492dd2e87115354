import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReadingSchedule, SETTLE_MS } from "../../src/sources/schedule.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";

/** Readings that end when the test says so. */
function readings(clock: FakeClock) {
  const startedAt: number[] = [];
  let underWay: (() => void) | undefined;
  return {
    startedAt,
    get isUnderWay() {
      return underWay !== undefined;
    },
    read(): Promise<void> {
      if (underWay !== undefined) throw new Error("a reading began while another was under way");
      startedAt.push(clock.monotonic());
      return new Promise((resolve) => {
        underWay = resolve;
      });
    },
    async end() {
      underWay?.();
      underWay = undefined;
      await settled();
    },
  };
}

function scheduled() {
  const clock = new FakeClock();
  const source = readings(clock);
  return { clock, source, schedule: new ReadingSchedule(clock, () => source.read()) };
}

describe("a reading schedule", () => {
  test("reads at once at the first wake", () => {
    const { schedule, source } = scheduled();
    schedule.wake();
    expect(source.startedAt).toEqual([0]);
  });

  test("answers any number of wakes during a reading with exactly one more, right after it", async () => {
    const { clock, schedule, source } = scheduled();
    schedule.wake();
    await clock.advance(40);
    for (let wakes = 0; wakes < 10; wakes += 1) schedule.wake();
    expect(source.startedAt).toEqual([0]);
    await source.end();
    expect(source.startedAt).toEqual([0, 40]);
    await source.end();
    await clock.advance(10_000);
    expect(source.startedAt).toEqual([0, 40]);
  });

  test("answers wakes shortly after the start of a reading that has ended with one more when it has settled", async () => {
    const { clock, schedule, source } = scheduled();
    schedule.wake();
    await source.end();
    await clock.advance(3);
    schedule.wake();
    schedule.wake();
    await clock.advance(SETTLE_MS - 4);
    expect(source.startedAt).toEqual([0]);
    await clock.advance(1);
    expect(source.startedAt).toEqual([0, SETTLE_MS]);
  });

  test("reads at once again when the last reading began long enough ago", async () => {
    const { clock, schedule, source } = scheduled();
    schedule.wake();
    await source.end();
    await clock.advance(SETTLE_MS);
    schedule.wake();
    expect(source.startedAt).toEqual([0, SETTLE_MS]);
  });

  test("resolves a wish for a fresh reading by one that began after it, not by one under way", async () => {
    const { clock, schedule, source } = scheduled();
    schedule.wake();
    await clock.advance(20);
    let isFresh = false;
    void schedule.fresh().then(() => {
      isFresh = true;
    });
    await source.end();
    expect(isFresh).toBe(false);
    expect(source.startedAt).toHaveLength(2);
    await source.end();
    expect(isFresh).toBe(true);
  });

  test("resolves who waits for a reading that will not begin any more when it is stopped", async () => {
    const { clock, schedule, source } = scheduled();
    schedule.wake();
    await source.end();
    const waiting = schedule.fresh();
    schedule.stop();
    await waiting;
    await schedule.fresh();
    schedule.wake();
    await clock.advance(10_000);
    expect(source.startedAt).toEqual([0]);
    expect(clock.pending).toBe(0);
  });

  test("reads when a plain model of it would, whatever happens", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("wake" as const) }),
      fc.record({ kind: fc.constant("fresh" as const) }),
      fc.record({ kind: fc.constant("end" as const) }),
      fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { clock, schedule, source } = scheduled();
        const model = new Model();
        const wishes: { begun: number; resolved: boolean }[] = [];
        for (const step of steps) {
          if (step.kind === "wake") schedule.wake();
          if (step.kind === "fresh") {
            const wish = { begun: source.startedAt.length, resolved: false };
            wishes.push(wish);
            void schedule.fresh().then(() => {
              wish.resolved = true;
            });
          }
          if (step.kind === "end") await source.end();
          if (step.kind === "pass") await clock.advance(step.ms);
          await settled();
          model.take(step);
          expect(source.startedAt).toEqual(model.startedAt);
          for (const { begun, resolved } of wishes) expect(resolved).toBe(model.ended > begun);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** What is wanted, as plainly as it can be said: time passes one millisecond after the other. */
class Model {
  readonly startedAt: number[] = [];
  #now = 0;
  #isReading = false;
  #isWanted = false;

  /** How many readings have ended. */
  get ended(): number {
    return this.startedAt.length - Number(this.#isReading);
  }

  take(step: { kind: "wake" | "fresh" | "end" | "pass"; ms?: number }): void {
    if (step.kind === "wake" || step.kind === "fresh") this.#isWanted = true;
    if (step.kind === "end") this.#isReading = false;
    this.#begin();
    for (let ms = 0; ms < (step.ms ?? 0); ms += 1) {
      this.#now += 1;
      this.#begin();
    }
  }

  #begin(): void {
    const last = this.startedAt.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (!this.#isWanted || this.#isReading || this.#now < last + SETTLE_MS) return;
    this.#isWanted = false;
    this.#isReading = true;
    this.startedAt.push(this.#now);
  }
}
