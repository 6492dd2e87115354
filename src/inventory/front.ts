import { programIn } from "../agents/recognise.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import { ancestorsOf } from "./whose.ts";

/** How long another job than the owner's must have been in front before it is stated, in milliseconds: it is there at
 * two looks a second apart, so a build or an editor shows and an `ls` does not. */
export const FOREGROUND_MS = 1_000;

/** A job in front of a terminal, and when it was seen there first, in the monotonic clock. */
export interface FrontJob {
  readonly group: number;
  readonly since: number;
}

/** The process group in front of a terminal, where that is another job than the one of the process that the terminal
 * is about. A process in a terminal within the terminal, such as a wrapper's, is in front where it is so there and
 * the wrapper is so here. */
export function otherJobInFront(
  owner: ProcessInfo,
  root: ProcessInfo,
  snapshot: ProcessSnapshot,
): number | undefined {
  if (owner.ttyDevice !== 0 && owner.foregroundGroup !== owner.group) return known(owner);
  if (owner.ttyDevice === root.ttyDevice && owner.session === root.session) return undefined;
  for (const { group } of ancestorsOf(owner, snapshot)) {
    if (group === root.foregroundGroup) return undefined;
  }
  return known(root);
}

/** A terminal without a job in front has the group 0 or -1. */
const known = ({ foregroundGroup }: ProcessInfo) =>
  foregroundGroup > 0 ? foregroundGroup : undefined;

/** The name of the program that a job runs: its leader's, else, where that has ended, its oldest process's. */
export function jobName(
  group: number,
  snapshot: ProcessSnapshot,
  facts: ProcessFacts,
): string | undefined {
  const members = snapshot.inGroup(group);
  const first = members.find(({ pid }) => pid === group) ?? members.toSorted(byAge)[0];
  return first && (programIn(first, facts)?.name ?? first.name);
}

function byAge(a: ProcessInfo, b: ProcessInfo): number {
  if (a.startTick === b.startTick) return a.pid - b.pid;
  return BigInt(a.startTick) > BigInt(b.startTick) ? 1 : -1;
}
