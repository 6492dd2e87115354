import type { Clock } from "../time/clock.ts";

/** Resolves when the work is done, or after so many milliseconds; the work then goes on. It must not reject. */
export function within(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(ms, resolve);
    void work.then(() => {
      cancel();
      resolve();
    });
  });
}
