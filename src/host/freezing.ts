import type { Cancel, Clock } from "../time/clock.ts";

/** How long after its last output, or the last time that somebody read it, a terminal's screen is kept as a few bytes, in milliseconds. Using it again costs some
 * 10 ms, and keeping it 2 MB. */
const IDLE_MS = 60_000;

/** Freezes the screen of a terminal that has been quiet for a while. */
export class Freezing {
  readonly #screen: { freeze(): Promise<void> };
  readonly #clock: Clock;
  #usedAt = 0;
  #due: Cancel | undefined;

  constructor(screen: { freeze(): Promise<void> }, clock: Clock) {
    this.#screen = screen;
    this.#clock = clock;
  }

  /** The screen was given output or another size, or was read: that makes it whole again. */
  look(): void {
    this.#usedAt = this.#clock.monotonic();
    this.#due ??= this.#later(IDLE_MS);
  }

  /** The screen is gone. */
  end(): void {
    this.#due?.();
  }

  #later(ms: number): Cancel {
    return this.#clock.schedule(ms, () => {
      const left = this.#usedAt + IDLE_MS - this.#clock.monotonic();
      this.#due = left > 0 ? this.#later(left) : undefined;
      // One that cannot be frozen stays as it is.
      if (this.#due === undefined) this.#screen.freeze().catch(() => {});
    });
  }
}
