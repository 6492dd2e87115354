import { ProcessFacts } from "../processes/facts.ts";
import type { ProcessTable } from "../processes/types.ts";
import type { Cancel, Clock } from "../time/clock.ts";

/** How long to wait at the least and at the most before a window is looked at again that has not been through exec,
 * in milliseconds. Each wait is as long as the window has been there. */
const LEAST_MS = 2;
const MOST_MS = 200;

/** Looks again at windows that are still copies of their manager and do not say which they are: nothing announces when
 * they do. */
export class LookAgain {
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  #cancel: Cancel | undefined;

  constructor({ clock, table }: { readonly clock: Clock; readonly table: ProcessTable }) {
    this.#clock = clock;
    this.#table = table;
  }

  /** Looks soon, by the age of the youngest window that waits, in milliseconds, or where that is `undefined` not at
   * all. What was arranged before is cancelled. */
  arrange(age: number | undefined, look: (facts: ProcessFacts) => void): void {
    this.cancel();
    if (age === undefined) return;
    this.#cancel = this.#clock.schedule(Math.min(MOST_MS, Math.max(LEAST_MS, age)), () => {
      this.#cancel = undefined;
      try {
        look(new ProcessFacts(this.#table, this.#clock));
      } catch {
        // No process can be read now. The next sweep shows the window.
      }
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
