import { isHelper } from "./helpers.ts";
import { HARNESSES } from "./names.ts";
import { type Program, programOf } from "./program.ts";

export { isHelper } from "./helpers.ts";
export { isToldByFile, type Program, programOf } from "./program.ts";

/** The harness that a process is, if it is one that may run a session. A word further back never counts. */
export function harnessOf(argv: readonly string[], exe: string | undefined): Program | undefined {
  const program = programOf(argv, exe);
  return program !== undefined && HARNESSES.has(program.name) && !isHelper(program)
    ? program
    : undefined;
}
