import type { Program } from "../agents/harness.ts";
import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";

/** By what a row's process was chosen: a run of an agent, a harness, or that its manager started it. */
export type OwnerRule = "run" | "harness" | "root";

/** The process that a terminal is about. */
export interface Owner {
  readonly process: ProcessInfo;
  readonly rule: OwnerRule;
}

/** What the rule reads. */
export interface OwnerQuestion {
  /** The process that the manager started. */
  readonly root: ProcessInfo;
  /** The processes in the terminal. */
  readonly inside: readonly ProcessInfo[];
  readonly snapshot: ProcessSnapshot;
  /** Whether a process is the run of an agent. */
  isRun(process: ProcessInfo): boolean;
  /** The harness that a process is; `undefined` for any other. */
  harness(process: ProcessInfo): Program | undefined;
  /** Whether a process is of the job that the terminal's keys go to. */
  isInFront(process: ProcessInfo): boolean;
}

/** Which process answers whose terminal it is: an agent's run in the terminal; else a harness in it; else the
 * process that the manager started. A shell's ordinary commands never move it.
 *
 * What an agent starts as its tool is no owner, be it an agent as well. Of the others those of the foreground job go
 * first, then the newest. A launcher gives way to the program proper that it started. */
export function ownerOf(question: OwnerQuestion): Owner {
  const { root, inside, snapshot, isRun, harness } = question;
  const harnesses = inside.filter((process) => harness(process) !== undefined);
  const kin = kinshipOf(harnesses, snapshot);
  const isTool = (run: ProcessInfo) =>
    above(run, harnesses, snapshot).some((other) => harness(other)?.name !== harness(run)?.name);
  const runs = inside.filter((process) => isRun(process) && !isTool(process));
  const run = preferred(outermost(runs, snapshot), question);
  if (run !== undefined) return { process: run, rule: "run" };
  const best = preferred(proper(harnesses, kin, question), question);
  return best === undefined ? { process: root, rule: "root" } : { process: best, rule: "harness" };
}

/** Who descends from whom among some processes, nearest or not. */
interface Kinship {
  readonly above: ReadonlyMap<ProcessInfo, readonly ProcessInfo[]>;
  readonly below: ReadonlyMap<ProcessInfo, readonly ProcessInfo[]>;
}

function kinshipOf(processes: readonly ProcessInfo[], snapshot: ProcessSnapshot): Kinship {
  const aboveOf = new Map<ProcessInfo, readonly ProcessInfo[]>();
  const belowOf = new Map<ProcessInfo, ProcessInfo[]>();
  for (const process of processes) {
    const ancestors = above(process, processes, snapshot);
    aboveOf.set(process, ancestors);
    for (const ancestor of ancestors) {
      const below = belowOf.get(ancestor);
      if (below === undefined) belowOf.set(ancestor, [process]);
      else below.push(process);
    }
  }
  return { above: aboveOf, below: belowOf };
}

/** Those of `processes` that a process descends from. */
function above(
  process: ProcessInfo,
  processes: readonly ProcessInfo[],
  snapshot: ProcessSnapshot,
): readonly ProcessInfo[] {
  const among = membersOf(processes);
  return [...ancestorsOf(process, snapshot)].flatMap(({ pid }) => among.get(pid) ?? []);
}

const members = new WeakMap<readonly ProcessInfo[], ReadonlyMap<number, ProcessInfo>>();

/** A list by pid; one that is asked for again and again is arranged once. */
function membersOf(processes: readonly ProcessInfo[]): ReadonlyMap<number, ProcessInfo> {
  const known = members.get(processes);
  if (known !== undefined) return known;
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  members.set(processes, byPid);
  return byPid;
}

/** Those that descend from none of the others; all where, read one after another, they form a circle. */
function outermost(runs: readonly ProcessInfo[], snapshot: ProcessSnapshot) {
  return orAll(runs, (run) => above(run, runs, snapshot).length === 0);
}

/** Those that are neither the launcher of another one nor its tool: a launcher is called like the program that it
 * started and waits in front of it in its own job, or is not that program itself; what is started otherwise is a
 * tool. */
function proper(
  harnesses: readonly ProcessInfo[],
  { above: aboveOf, below: belowOf }: Kinship,
  { harness }: OwnerQuestion,
) {
  const launches = (launcher: ProcessInfo, other: ProcessInfo) =>
    harness(launcher)?.name === harness(other)?.name &&
    (launcher.group === other.group || harness(launcher)?.isItself === false);
  return orAll(harnesses, (process) => {
    const below = belowOf.get(process) ?? [];
    if (below.some((other) => launches(process, other))) return false;
    return (aboveOf.get(process) ?? []).every(
      (other) => below.includes(other) || launches(other, process),
    );
  });
}

function orAll(
  processes: readonly ProcessInfo[],
  keeps: (process: ProcessInfo) => boolean,
): readonly ProcessInfo[] {
  const kept = processes.length < 2 ? processes : processes.filter(keeps);
  return kept.length > 0 ? kept : processes;
}

function preferred(
  processes: readonly ProcessInfo[],
  { isInFront }: OwnerQuestion,
): ProcessInfo | undefined {
  return processes.toSorted(
    (a, b) => Number(isInFront(b)) - Number(isInFront(a)) || byAge(a, b),
  )[0];
}

/** The newest first. */
function byAge(a: ProcessInfo, b: ProcessInfo): number {
  if (a.startTick === b.startTick) return b.pid - a.pid;
  return BigInt(b.startTick) > BigInt(a.startTick) ? 1 : -1;
}

/** The parent of a process, its parent and so on. Parents were read one after another, so a reused number can close
 * a circle: each counts once. */
export function* ancestorsOf(
  process: ProcessInfo,
  snapshot: ProcessSnapshot,
): Generator<ProcessInfo> {
  const passed = new Set([process.pid]);
  let above = snapshot.get(process.parent);
  while (above !== undefined && !passed.has(above.pid)) {
    passed.add(above.pid);
    yield above;
    above = snapshot.get(above.parent);
  }
}
