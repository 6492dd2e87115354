import type { ProcessKey } from "../../processes/types.ts";
import type { Figures } from "./figures.ts";

/** A process as a sample found it. */
export interface Counter {
  readonly startTick: string;
  readonly parent: number;
  /** The id of the terminal that it was in. */
  readonly terminal: string;
  readonly figures: Figures;
}

/** The processes of one sample, by pid. */
export type Counters = ReadonlyMap<number, Counter>;

/** What is known of that process, and not of another one that has its number. */
export function counterOf(counters: Counters, { pid, startTick }: ProcessKey): Counter | undefined {
  const counter = counters.get(pid);
  return counter?.startTick === startTick ? counter : undefined;
}

/** What was counted while it was used, and is told again by whoever waits for a process that has ended: all that it had
 * used when it was there last, in milliseconds, by the pid of the nearest of its ancestors that is still there. */
export function countedBefore(before: Counters, now: Counters): ReadonlyMap<number, number> {
  const counted = new Map<number, number>();
  for (const [pid, counter] of before) {
    if (isThere(pid, counter)) continue;
    const { ranMs, waitedMs } = counter.figures;
    const heir = heirOf(pid, counter);
    if (heir !== undefined) counted.set(heir, (counted.get(heir) ?? 0) + ranMs + waitedMs);
  }
  return counted;

  function isThere(pid: number, { startTick }: Counter): boolean {
    return now.get(pid)?.startTick === startTick;
  }

  /** Parents were read one after another, so a number that was reused meanwhile can close a circle: nobody is asked
   * twice. */
  function heirOf(pid: number, { parent }: Counter): number | undefined {
    const asked = new Set([pid]);
    let next = parent;
    for (let counter = before.get(next); counter !== undefined; counter = before.get(next)) {
      if (isThere(next, counter)) return next;
      if (asked.has(next)) return undefined;
      asked.add(next);
      next = counter.parent;
    }
    return undefined;
  }
}
