import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";

/** Resolves when the work is done, however it ended, when the time in milliseconds is over, or when the signal says so.
 * The work may go on then. */
export function within(
  clock: Clock,
  ms: number,
  work: Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.schedule(ms, done);
    // As many may wait as ask at once.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
    else work.then(done, done);
  });
}
