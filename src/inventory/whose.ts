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
  const { root, inside, isRun, harness } = question;
  const harnesses = inside.filter((process) => harness(process) !== undefined);
  const runs = inside.filter((process) => isRun(process) && !isTool(process, harnesses, question));
  const run = preferred(outermost(runs, question), question);
  if (run !== undefined) return { process: run, rule: "run" };
  const best = preferred(proper(harnesses, question), question);
  return best === undefined ? { process: root, rule: "root" } : { process: best, rule: "harness" };
}

/** Whether a harness started the run of another one: that harness is whose terminal it is, though its own run may not
 * have been stated yet. What is called like it may be the program proper that it launched. */
function isTool(
  run: ProcessInfo,
  harnesses: readonly ProcessInfo[],
  { snapshot, harness }: OwnerQuestion,
): boolean {
  const name = harness(run)?.name;
  return harnesses.some((other) => harness(other)?.name !== name && descends(run, other, snapshot));
}

/** Those that descend from none of the others; all where, read one after another, they form a circle. */
function outermost(runs: readonly ProcessInfo[], { snapshot }: OwnerQuestion) {
  return orAll(runs, (run) => !runs.some((other) => descends(run, other, snapshot)));
}

/** Those that are neither the launcher of another one nor its tool: a launcher is called like the program that it
 * started and waits in front of it in its own job, or is not that program itself; what is started otherwise is a
 * tool. */
function proper(harnesses: readonly ProcessInfo[], { snapshot, harness }: OwnerQuestion) {
  const launches = (above: ProcessInfo, below: ProcessInfo) =>
    harness(above)?.name === harness(below)?.name &&
    (above.group === below.group || harness(above)?.isItself === false);
  return orAll(harnesses, (process) =>
    harnesses.every((other) => {
      if (descends(other, process, snapshot)) return !launches(process, other);
      return !descends(process, other, snapshot) || launches(other, process);
    }),
  );
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

/** Whether `process` is below `ancestor`. */
function descends(process: ProcessInfo, ancestor: ProcessInfo, snapshot: ProcessSnapshot): boolean {
  for (const above of ancestorsOf(process, snapshot)) if (above.pid === ancestor.pid) return true;
  return false;
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
