import type { Cancel, Clock } from "../time/clock.ts";
import type { Size } from "./onlookers.ts";

/** How much time lies between two changes of a terminal's size at least, in milliseconds. Somebody who drags a window's
 * edge asks for hundreds, and programs draw everything anew for each. */
const STEP_MS = 100;

/** Changes the size of a terminal: the first time at once, and the last of those that come too soon after it. */
export class Resizing {
  readonly #clock: Clock;
  readonly #apply: (size: Size) => void;
  #lastAt = Number.NEGATIVE_INFINITY;
  #wanted: Size | undefined;
  #due: Cancel | undefined;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock, apply: (size: Size) => void) {
    this.#clock = clock;
    this.#apply = apply;
  }

  /** Resolves once the terminal has this size, or one that was asked for later. */
  to(size: Size): Promise<void> {
    this.#wanted = size;
    const left = this.#lastAt + STEP_MS - this.#clock.monotonic();
    if (left <= 0 && this.#due === undefined) {
      this.#go();
      return Promise.resolve();
    }
    this.#due ??= this.#clock.schedule(Math.max(0, left), () => this.#go());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** No size is changed any more. */
  end(): void {
    this.#wanted = undefined;
    this.#due?.();
    this.#settle();
  }

  #go(): void {
    this.#due = undefined;
    this.#lastAt = this.#clock.monotonic();
    if (this.#wanted !== undefined) this.#apply(this.#wanted);
    this.#settle();
  }

  #settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
