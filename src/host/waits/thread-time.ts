import { readFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1_000_000;

/** Processor time that a thread has had, in milliseconds: the first field of its `schedstat` (Documentation/scheduler/
 * sched-stats of Linux). `task` is the thread as `/proc/thread-self` names it. `undefined` where the system does not tell. */
export function threadTime(task: string | undefined): number | undefined {
  if (task === undefined) return undefined;
  try {
    const [worked] = readFileSync(`/proc/${task}/schedstat`, "latin1").split(" ");
    return worked === undefined ? undefined : Number(worked) / NANOSECONDS_PER_MS;
  } catch {
    return undefined;
  }
}
