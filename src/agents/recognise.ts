import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo } from "../processes/types.ts";
import { harnessOf, isToldByFile, type Program, programOf } from "./harness.ts";

interface Recognised {
  readonly program: Program | undefined;
  readonly harness: Program | undefined;
}

/** What was made of an argv, which is the same list as long as nothing else was read of its process. */
const known = new WeakMap<readonly string[], Recognised>();

function recognised(process: ProcessInfo, facts: ProcessFacts): Recognised {
  const argv = facts.argv(process);
  const before = known.get(argv);
  if (before !== undefined) return before;
  // To look at the file of every process would take as long as all the rest.
  const exe = isToldByFile(argv) ? facts.exe(process) : undefined;
  const now = { program: programOf(argv, exe), harness: harnessOf(argv, exe) };
  known.set(argv, now);
  return now;
}

/** What a process runs, a helper of a harness included. */
export const programIn = (process: ProcessInfo, facts: ProcessFacts): Program | undefined =>
  recognised(process, facts).program;

/** The harness that a process is. */
export const harnessIn = (process: ProcessInfo, facts: ProcessFacts): Program | undefined =>
  recognised(process, facts).harness;
