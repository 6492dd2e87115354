import type { Clock } from "../time/clock.ts";

/** Wrong tokens that an address may present within FAILURE_WINDOW_MS before it is told to wait. */
export const MAX_FAILURES = 10;
export const FAILURE_WINDOW_MS = 60_000;

/** How many addresses are remembered; of more, the one that began longest ago is forgotten. */
export const MAX_ADDRESSES = 1_024;

interface Spell {
  readonly since: number;
  count: number;
}

/** Counts failures by address over a window that begins with the first. It holds a bounded number of
 * addresses and no timer. */
export class Failures {
  readonly #spells = new Map<string, Spell>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one failure. Answers how many milliseconds the address has to wait: 0 while it has
   * failures left. */
  add(address: string): number {
    const now = this.#clock.monotonic();
    const held = this.#spells.get(address);
    if (held === undefined || now - held.since >= FAILURE_WINDOW_MS) {
      this.#begin(address, now);
      return 0;
    }
    held.count += 1;
    return held.count <= MAX_FAILURES ? 0 : Math.ceil(held.since + FAILURE_WINDOW_MS - now);
  }

  get size(): number {
    return this.#spells.size;
  }

  #begin(address: string, now: number): void {
    this.#spells.delete(address);
    this.#spells.set(address, { since: now, count: 1 });
    if (this.#spells.size <= MAX_ADDRESSES) return;
    const [oldest] = this.#spells.keys();
    if (oldest !== undefined) this.#spells.delete(oldest);
  }
}
