import { closeSync, openSync } from "node:fs";

/** How many gaps are filled at most: about 3 ms. */
const MAX_FILLED = 1_024;

/** Descriptors that no `exec` closes: the masters of the terminals that are open. Node has no call that would mark them,
 * and its own are all marked. */
const masters = new Set<number>();

export function masterOpened(descriptor: number): void {
  masters.add(descriptor);
}

export function masterClosed(descriptor: number): void {
  masters.delete(descriptor);
}

/** Forks so that the child inherits no master of another terminal. Before its `exec` the child of node-pty marks what is
 * open, from 3 upwards, and stops at the first number above 15 that is not. So for that moment every number up to the
 * highest master is in use; the new master then has a higher one, and the gap that it leaves in the child is harmless.
 *
 * With more than 1 024 gaps, or no descriptor left, the fork goes ahead as it is: a child that could look into another
 * terminal of the same user is better than none. Numbers only get that high where the newest terminal never ends
 * before the next is opened, over a thousand times in a row. */
export function withoutInheritance<T>(fork: () => T): T {
  const fillers = fill(Math.max(0, ...masters));
  try {
    return fork();
  } finally {
    for (const filler of fillers) closeSync(filler);
  }
}

/** The system gives the lowest number that is free. */
function fill(highest: number): number[] {
  const fillers: number[] = [];
  if (highest === 0) return fillers;
  try {
    for (let last = 0; last < highest; ) {
      if (fillers.length >= MAX_FILLED) return emptied(fillers);
      last = openSync("/dev/null", "r");
      fillers.push(last);
    }
    return fillers;
  } catch {
    return emptied(fillers);
  }
}

function emptied(fillers: readonly number[]): number[] {
  for (const filler of fillers) closeSync(filler);
  return [];
}
