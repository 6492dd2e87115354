import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo } from "../processes/types.ts";
import { harnessOf, type Program, programOf } from "./harness.ts";

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
  const exe = isCalledByItsFile(process, argv) ? undefined : facts.exe(process);
  const now = { program: programOf(argv, exe), harness: harnessOf(argv, exe) };
  known.set(argv, now);
  return now;
}

/** How many bytes of a name the kernel keeps (TASK_COMM_LEN less the end). */
const KERNEL_NAME_BYTES = 15;

/** Whether a program goes by the name of the file that was started, which the kernel keeps: then that file tells no
 * more than the argv. Nearly all do, and to look at the file of each would take as long as all the rest. */
function isCalledByItsFile({ name }: ProcessInfo, [first = ""]: readonly string[]): boolean {
  const called = first.slice(first.lastIndexOf("/") + 1).replace(/^-/, "");
  return called !== "" && Buffer.from(called).toString("utf8", 0, KERNEL_NAME_BYTES) === name;
}

/** What a process runs, a helper of a harness included. */
export const programIn = (process: ProcessInfo, facts: ProcessFacts): Program | undefined =>
  recognised(process, facts).program;

/** The harness that a process is. */
export const harnessIn = (process: ProcessInfo, facts: ProcessFacts): Program | undefined =>
  recognised(process, facts).harness;
