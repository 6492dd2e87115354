import { userInfo } from "node:os";
import { resolve } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessInfo } from "../../processes/types.ts";

/** Options of `codex` that are followed by their value, as far as they may stand before its subcommand. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  "-a",
  "--ask-for-approval",
  "--add-dir",
  "-C",
  "--cd",
  "-c",
  "--config",
  "--disable",
  "--enable",
  "-i",
  "--image",
  "--local-provider",
  "-m",
  "--model",
  "-p",
  "--profile",
  "-s",
  "--sandbox",
]);

/** How a Codex was started: `exec` where it works off one task and ends, else `interactive`. Its command is its name
 * and arguments; behind `--` there is no subcommand. */
export function kindOf([, ...args]: readonly string[]): "exec" | "interactive" {
  let isValue = false;
  for (const argument of args) {
    if (argument === "--") break;
    if (!isValue && !argument.startsWith("-")) {
      return argument === "exec" || argument === "e" ? "exec" : "interactive";
    }
    isValue = !isValue && WITH_VALUE.has(argument);
  }
  return "interactive";
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
