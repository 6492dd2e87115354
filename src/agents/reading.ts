import type { ProcessTable } from "../processes/types.ts";
import type { Fault, Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import type { ObservedRun } from "./run.ts";

/** The reading that `find` makes. It is failing where processes cannot be read for want of descriptors or memory,
 * which says nothing of any run. */
export function readingBy(clock: Clock, find: () => Finding<ObservedRun>): Reading<ObservedRun> {
  const at = clock.now();
  try {
    return { at, finding: find() };
  } catch (error) {
    const msg = error instanceof Error ? error.message : String(error);
    return { at, finding: { kind: "failing", fault: { code: "processes_unreadable", msg } } };
  }
}

/** Why nothing that a run is stated with can be read of any process. Absent where it can. */
export function tableFault({ limited }: ProcessTable): Fault | undefined {
  if (limited !== "no_proc") return undefined;
  const msg = "this system does not tell in which folder a process runs, and what it has open";
  return { code: limited, msg };
}
