import type { Cancel, Clock } from "../time/clock.ts";

/** How long after the start of a reading another wake is answered by one more reading rather than by one
 * of its own, in milliseconds. Changes come in bursts; a burst costs two readings, not one each. */
export const SETTLE_MS = 15;

/** Decides when to read. The first wake reads at once; wakes during a reading, or within SETTLE_MS of its
 * start, cause exactly one more after it. Never are two under way. */
export class ReadingSchedule {
  readonly #clock: Clock;
  readonly #read: () => Promise<void>;
  #startedAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  #wanted = false;
  #waiting: (() => void)[] = [];
  #cancel: Cancel | undefined;
  #stopped = false;

  /** `read` must not reject. */
  constructor(clock: Clock, read: () => Promise<void>) {
    this.#clock = clock;
    this.#read = read;
  }

  wake(): void {
    if (this.#stopped) return;
    this.#wanted = true;
    this.#proceed();
  }

  /** Resolves once a reading that began after the call has ended, or no more will. */
  fresh(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const read = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.wake();
    return read;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #proceed(): void {
    if (!this.#wanted || this.#reading || this.#stopped || this.#cancel !== undefined) return;
    const settled = this.#startedAt + SETTLE_MS - this.#clock.monotonic();
    if (settled <= 0) {
      void this.#begin();
      return;
    }
    this.#cancel = this.#clock.schedule(settled, () => {
      this.#cancel = undefined;
      this.#proceed();
    });
  }

  async #begin(): Promise<void> {
    this.#wanted = false;
    this.#reading = true;
    this.#startedAt = this.#clock.monotonic();
    const answered = this.#waiting.splice(0);
    await this.#read();
    this.#reading = false;
    for (const resolve of answered) resolve();
    this.#proceed();
  }
}
