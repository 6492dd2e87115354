import { TERMINAL_OUTPUT_WINDOW } from "./limits.ts";

/** How long output may be on its way to a viewer, in milliseconds, before its window becomes smaller: what a key that it
 * presses then waits behind. */
const IN_FLIGHT_MS = 40;

/** How many of its steps a viewer may have in flight at least: with fewer it would wait for each acknowledgement. */
const LEAST_STEPS = 2;

/** How much of a new measurement counts. */
const WEIGHT = 0.3;

/** How much output one viewer may have unacknowledged. Everything sent and everything acknowledged counts for as long as
 * the connection lives, repaints too, so that the two cannot drift apart. The window is the whole one for a viewer that is
 * quick, and less for one on a slow link. */
export class OutputWindow {
  #sent = 0;
  #acknowledged = 0;
  /** Bytes that a millisecond takes, and bytes that one acknowledgement is about. */
  #rate: number | undefined;
  #step: number | undefined;
  #lastAt: number | undefined;

  get inFlight(): number {
    return this.#sent - this.#acknowledged;
  }

  get size(): number {
    if (this.#rate === undefined || this.#step === undefined) return TERMINAL_OUTPUT_WINDOW;
    const wanted = this.#rate * IN_FLIGHT_MS + LEAST_STEPS * this.#step;
    return Math.min(TERMINAL_OUTPUT_WINDOW, Math.max(LEAST_STEPS * this.#step, wanted));
  }

  get room(): number {
    return Math.max(0, this.size - this.inFlight);
  }

  sent(bytes: number, now: number): void {
    // What comes after quiet says nothing of how fast it is taken.
    if (this.inFlight === 0) this.#lastAt = now;
    this.#sent += bytes;
  }

  /** `now` in the monotonic clock. More than was sent counts as all of it. */
  acknowledged(bytes: number, now: number): void {
    const counted = Math.min(bytes, this.inFlight);
    this.#acknowledged += counted;
    if (counted === 0) return;
    const ms = Math.max(0.1, now - (this.#lastAt ?? now));
    this.#rate = weighed(this.#rate, counted / ms);
    this.#step = weighed(this.#step, counted);
    this.#lastAt = now;
  }
}

const weighed = (before: number | undefined, now: number) =>
  before === undefined ? now : before + WEIGHT * (now - before);
