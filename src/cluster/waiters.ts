import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";

/** Those who wait until something holds. */
export class Waiters {
  readonly #looks = new Set<() => void>();

  /** It may hold by now. */
  look(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Resolves once it holds, or so many milliseconds have passed. */
  async until(holds: () => boolean, clock: Clock, ms: number): Promise<void> {
    if (holds()) return;
    let look = () => {};
    const there = new Promise<void>((resolve) => {
      look = () => {
        if (holds()) resolve();
      };
      this.#looks.add(look);
    });
    await within(clock, ms, there);
    this.#looks.delete(look);
  }
}
