import type { Clock } from "../time/clock.ts";

/** How long a failing place is left alone before it is asked again, in milliseconds: the first time, and
 * at the most. Each failure in a row doubles it. */
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_LAST_MS = 60_000;

/** How long a place is left alone that could not be asked for a want of ours, in milliseconds: less than from one tick
 * of its source to the next. It is no slower for being asked again, and answers as soon as the want is over. */
const BACKOFF_SHORT_MS = 500;

/** Keeps a place that fails from being asked too often. */
export class Backoff {
  readonly #clock: Clock;
  #failures = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the place is to be left alone now. */
  get isPausing(): boolean {
    return this.#clock.monotonic() < this.#until;
  }

  failed(): void {
    const pause = Math.min(BACKOFF_FIRST_MS * 2 ** this.#failures, BACKOFF_LAST_MS);
    this.#failures += 1;
    this.#until = this.#clock.monotonic() + pause;
  }

  /** It could not be asked, which says nothing of it. */
  lacked(): void {
    this.#until = this.#clock.monotonic() + BACKOFF_SHORT_MS;
  }

  /** It answered, or something about it changed so that it may answer now. */
  reset(): void {
    this.#failures = 0;
    this.#until = Number.NEGATIVE_INFINITY;
  }
}
