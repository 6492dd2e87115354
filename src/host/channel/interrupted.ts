import type { Cancel, Clock } from "../../time/clock.ts";

/** How long a program has to write nothing after an interrupt to have stopped, and how long that is waited for, both in
 * milliseconds. Most have ended after a few, and their shells have shown a prompt. */
const QUIET_MS = 5;
const MOST_MS = 25;

/** Calls back when what an interrupt comes to can be seen: the output has paused, or that takes too long. */
export function whenInterrupted(
  clock: Clock,
  ring: { readonly end: number },
  then: () => void,
): Cancel {
  const began = clock.monotonic();
  let cancel: Cancel;
  const look = (before: number) => {
    cancel = clock.schedule(QUIET_MS, () => {
      const isOver = ring.end === before || clock.monotonic() - began >= MOST_MS;
      if (isOver) then();
      else look(ring.end);
    });
  };
  look(Number.NaN);
  return () => cancel();
}
