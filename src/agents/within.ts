import type { Clock } from "../time/clock.ts";

/** Resolves when the work is done, however it ended, or when the time in milliseconds is over. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(ms, resolve);
    const done = () => {
      cancel();
      resolve();
    };
    work.then(done, done);
  });
}
