import type { Clock } from "../time/clock.ts";

/** Requests a second that one connection may make for as long as it likes. A client of ours makes a
 * handful in its life; a program that types into terminals makes some hundreds. */
export const REQUESTS_PER_SECOND = 1_000;

/** Requests that one connection may make at once, after quiet. */
export const REQUEST_BURST = 2_000;

/** How much a reader that ran out waits for at least, in requests: 10 ms worth, so that a flood costs
 * a hundred wake-ups a second and not a thousand. */
const REFILL = 10;

/** How fast one connection is read: a token bucket. Over it the connection is read more slowly;
 * nothing is refused and nothing is lost. */
export class Pace {
  #tokens = REQUEST_BURST;
  #filledAt: number;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = clock.monotonic();
  }

  /** Milliseconds until the next request may be read; 0 for now. */
  wait(): number {
    if (this.#tokens >= 1) return 0;
    this.#fill();
    if (this.#tokens >= 1) return 0;
    return Math.ceil(((REFILL - this.#tokens) / REQUESTS_PER_SECOND) * 1000);
  }

  /** Counts one request. */
  take(): void {
    this.#tokens -= 1;
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    const gained = ((now - this.#filledAt) / 1000) * REQUESTS_PER_SECOND;
    this.#tokens = Math.min(REQUEST_BURST, this.#tokens + gained);
    this.#filledAt = now;
  }
}
