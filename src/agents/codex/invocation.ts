import { userInfo } from "node:os";
import { resolve } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessInfo } from "../../processes/types.ts";
import type { Program } from "../harness.ts";
import { subcommandOf } from "../helpers.ts";

/** How a Codex was started: `exec` where it works off one task and ends, else `interactive`. */
export function kindOf(program: Program): "exec" | "interactive" {
  const subcommand = subcommandOf(program);
  return subcommand === "exec" || subcommand === "e" ? "exec" : "interactive";
}

/** The folder that a Codex keeps its configuration, threads and locks in. `undefined` where the process does not
 * let itself be read. */
export function homeOf(process: ProcessInfo, cwd: string, facts: ProcessFacts): string | undefined {
  const named = facts.variable(process, "CODEX_HOME");
  if (named) return resolve(cwd, named);
  const home = facts.variable(process, "HOME") || ownHome();
  return home && resolve(cwd, home, ".codex");
}

/** Where a process has no HOME, its user's entry counts. It is ours: those of others cannot be read, unless by root. */
function ownHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // There are users without an entry.
    return undefined;
  }
}
