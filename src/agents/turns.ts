import type { Clock } from "../time/clock.ts";

/** How long one thing after another is looked at before others get to run, in milliseconds. The bound is 5 ms; the
 * rest is for one that takes long, and a slow machine. */
const SLICE_MS = 2;

/** Looks at things in turn. */
export class Turns<Item extends object> {
  readonly #clock: Clock;
  /** Which look was the last at each. */
  readonly #looks = new WeakMap<Item, number>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many looks there were. */
  get count(): number {
    return this.#count;
  }

  /** Looks at as many as a slice has time for, first at those that were looked at longest ago; not at those that were
   * since there had been `before` looks. Answers whether that were all. */
  take(
    items: Iterable<Item>,
    look: (item: Item) => void,
    before = Number.POSITIVE_INFINITY,
  ): boolean {
    const began = this.#clock.monotonic();
    const waiting = [...items].filter((item) => this.#lookAt(item) <= before);
    for (const item of waiting.sort((a, b) => this.#lookAt(a) - this.#lookAt(b))) {
      if (this.#clock.monotonic() - began >= SLICE_MS) return false;
      this.#count += 1;
      this.#looks.set(item, this.#count);
      look(item);
    }
    return true;
  }

  #lookAt(item: Item): number {
    return this.#looks.get(item) ?? 0;
  }
}
