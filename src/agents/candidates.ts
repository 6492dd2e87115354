import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import type { Program } from "./harness.ts";

/** A process that may be a run of an agent, and what it runs. */
export interface Candidate {
  readonly process: ProcessInfo;
  readonly program: Program;
}

export interface CandidateContext {
  readonly snapshot: ProcessSnapshot;
  readonly facts: ProcessFacts;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** How long a process that looks like its parent may be a copy of it that is yet to run something else, in
 * milliseconds: a program that starts another is doubled first. */
const COPY_MS = 1_000;

/** One candidate for each run: without what only led to the program, and without copies of it. An agent that another
 * one has started as its tool is a run of its own. */
export function runsAmong(
  candidates: readonly Candidate[],
  context: CandidateContext,
): Candidate[] {
  const all = new Map(candidates.map((candidate) => [candidate.process.pid, candidate]));
  const originals = candidates.filter(({ process }) => {
    const parent = all.get(process.parent)?.process;
    return parent === undefined || !isCopy(process, parent, context);
  });
  const byPid = new Map(originals.map((candidate) => [candidate.process.pid, candidate]));
  const led = new Set<number>();
  for (const candidate of originals) {
    for (const above of ancestors(candidate.process, context.snapshot)) {
      const leader = byPid.get(above);
      if (leader === undefined || leader.program.name !== candidate.program.name) continue;
      if (leader.program.isItself) break;
      if (leadsTo(leader.program, candidate.program)) led.add(above);
    }
  }
  return originals.filter(({ process }) => !led.has(process.pid));
}

/** Whether a program that is no such program itself has led to the other one: to the program, or by way of one more
 * launcher, which names the same command. */
function leadsTo({ command }: Program, other: Program): boolean {
  return other.isItself || areEqual(command, other.command);
}

/** A worker that a program has forked off is in its job and is called like it for good. What is in another job is
 * called like its parent until it has been through exec, or because it was started with the same arguments. */
function isCopy(
  process: ProcessInfo,
  parent: ProcessInfo,
  { facts, now }: CandidateContext,
): boolean {
  if (!areEqual(facts.argv(process), facts.argv(parent))) return false;
  if (process.group === parent.group) return true;
  const startedAt = facts.startedAt(process);
  return startedAt !== undefined && now - startedAt < COPY_MS;
}

/** Numbers of the processes above, nearest first. A number that was reused while they were read can close a
 * circle: each counts once. */
function* ancestors({ parent }: ProcessInfo, snapshot: ProcessSnapshot): Generator<number> {
  const passed = new Set<number>();
  let above = snapshot.get(parent);
  while (above !== undefined && !passed.has(above.pid)) {
    passed.add(above.pid);
    yield above.pid;
    above = snapshot.get(above.parent);
  }
}

const areEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((part, index) => part === b[index]);
