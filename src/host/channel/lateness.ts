import type { Clock } from "../../time/clock.ts";

/** How far a viewer may be behind, in bytes, and for how long where that is more than LATE_BYTES, in milliseconds,
 * before it is shown the screen as it is now instead of all that led there. */
const LAG_BYTES = 1024 * 1024;
const LATE_BYTES = 256 * 1024;
const LATE_MS = 250;

/** For how long after an interrupt its viewer need be behind only so long and so far, in milliseconds and bytes: where the
 * program took long to end, what it wrote until then is of no use to anybody. */
const IMPATIENT_MS = 1_000;
const IMPATIENT_LATE_BYTES = 4 * 1024;
const IMPATIENT_LATE_MS = 25;

/** Says when a viewer is too far behind to be sent everything. */
export class Lateness {
  readonly #clock: Clock;
  /** Since when it could be sent nothing though there is something, in the monotonic clock. */
  #heldSince: number | undefined;
  /** Until when an interrupt of its counts, in the monotonic clock. */
  #impatientUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** There is output, and it can be sent none of it now. */
  held(): void {
    this.#heldSince ??= this.#clock.monotonic();
  }

  /** It has everything, or is shown the screen. */
  isOver(): void {
    this.#heldSince = undefined;
  }

  /** It has interrupted the program. */
  interrupted(): void {
    this.#impatientUntil = this.#clock.monotonic() + IMPATIENT_MS;
  }

  /** Whether one that is so many bytes behind is to be shown the screen. */
  isTooMuch(lag: number): boolean {
    const now = this.#clock.monotonic();
    const held = now - (this.#heldSince ?? Number.POSITIVE_INFINITY);
    if (now < this.#impatientUntil && lag > IMPATIENT_LATE_BYTES && held >= IMPATIENT_LATE_MS) {
      return true;
    }
    return lag > LAG_BYTES || (lag > LATE_BYTES && held >= LATE_MS);
  }
}
