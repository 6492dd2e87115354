import { setMaxListeners } from "node:events";
import type { Clock } from "../time/clock.ts";

/** Resolves when the work is done, after so many milliseconds, or when the signal says so; the work may go on then. It
 * must not reject. */
export function within(
  clock: Clock,
  ms: number,
  work: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(ms, () => settle());
    const settle = () => {
      cancel();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    // As many may wait as ask at once.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", settle, { once: true });
    if (signal.aborted) settle();
    void work.then(settle);
  });
}
