import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot } from "../../processes/types.ts";
import { programIn } from "../recognise.ts";

/** The longest path of Linux in bytes (PATH_MAX). A longer one leads nowhere. */
const PATH_BYTES = 4_096;

/** Where Claude Code has its configuration unless told otherwise. None where no home folder is known. */
export function defaultHome(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, ".claude") : undefined;
  } catch {
    // The user has no entry in the password database.
    return undefined;
  }
}

/** The config homes of the processes of Claude Code, its helpers included, as they are told to them. Not those of
 * processes whose environment cannot be read. */
export function homesInUse(snapshot: ProcessSnapshot, facts: ProcessFacts): Set<string> {
  const homes = new Set<string>();
  for (const process of snapshot.all()) {
    if (programIn(process, facts)?.name !== "claude") continue;
    const home = homeOf(process, facts);
    if (home !== undefined && Buffer.byteLength(home) < PATH_BYTES) homes.add(home);
  }
  return homes;
}

function homeOf(process: ProcessInfo, facts: ProcessFacts): string | undefined {
  const told = facts.variable(process, "CLAUDE_CONFIG_DIR") || undefined;
  if (told !== undefined && isAbsolute(told)) return resolve(told);
  const base = told === undefined ? facts.variable(process, "HOME") : facts.cwd(process)?.path;
  return base !== undefined && isAbsolute(base) ? join(base, told ?? ".claude") : undefined;
}

/** The one spelling of an absolute path, links resolved as far as it exists: a home that is spelled twice would be
 * two. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
