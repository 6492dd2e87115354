import type { ProcessInfo } from "../../processes/types.ts";
import type { Figures } from "./figures.ts";

/** A process as a sample found it. */
export interface Counter {
  readonly pid: number;
  readonly parent: number;
  readonly figures: Figures;
}

/** The measured processes of a terminal, by what names each for good. */
export type Counters = ReadonlyMap<string, Counter>;

export function countersOf(
  processes: readonly ProcessInfo[],
  figures: ReadonlyMap<number, Figures>,
): Counters {
  const counters = new Map<string, Counter>();
  for (const { pid, parent, startTick } of processes) {
    const measured = figures.get(pid);
    if (measured === undefined) continue;
    counters.set(`${pid} ${startTick}`, { pid, parent, figures: measured });
  }
  return counters;
}

/** What was counted while it was used, and is told again by whoever waits for a process that has ended: all that it had
 * used when it was there last, by the key of the nearest of its ancestors that is still there. */
export function countedBefore(
  before: Iterable<Counters>,
  now: Iterable<Counters>,
): ReadonlyMap<string, number> {
  const present = new Set<string>();
  for (const counters of now) for (const key of counters.keys()) present.add(key);
  const known = new Map<number, { readonly key: string; readonly counter: Counter }>();
  for (const counters of before) {
    for (const [key, counter] of counters) known.set(counter.pid, { key, counter });
  }
  const counted = new Map<string, number>();
  for (const { key, counter } of known.values()) {
    if (present.has(key)) continue;
    const heir = heirOf(counter);
    const { ranMs, waitedMs } = counter.figures;
    if (heir !== undefined) counted.set(heir, (counted.get(heir) ?? 0) + ranMs + waitedMs);
  }
  return counted;

  /** Parents were read one after another, so a number that was reused meanwhile can close a circle: nobody is asked
   * twice. */
  function heirOf({ pid, parent }: Counter): string | undefined {
    const asked = new Set([pid]);
    let ancestor = known.get(parent);
    while (ancestor !== undefined && !asked.has(ancestor.counter.pid)) {
      if (present.has(ancestor.key)) return ancestor.key;
      asked.add(ancestor.counter.pid);
      ancestor = known.get(ancestor.counter.parent);
    }
    return undefined;
  }
}
