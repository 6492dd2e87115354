/** The bound of the first delay; each further one doubles it. */
const BACKOFF_BASE_MS = 500;

/** The bound of every later delay: how long a reader may wait after a publisher is back. */
export const BACKOFF_CAP_MS = 10_000;

/** Delays between tries, with full jitter: each is anywhere from zero to its bound, so that readers that
 * lost one publisher together do not come back together. */
export class Backoff {
  #tries = 0;
  readonly #random: () => number;

  /** `random` gives a number from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** How long to wait before the next try, in milliseconds. */
  next(): number {
    const bound = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#tries);
    this.#tries += 1;
    return this.#random() * bound;
  }

  /** Begins anew with the shortest bound. */
  reset(): void {
    this.#tries = 0;
  }
}
