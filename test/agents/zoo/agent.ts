import { existsSync, readFileSync, readlinkSync } from "node:fs";
import type { Seen } from "./processes.ts";
import type { Programs } from "./programs.ts";

/** An agent that is known to run. */
export interface Agent {
  readonly pid: number;
  readonly harness: "claude" | "codex";
  readonly cwd: string;
}

export function agentAt(pid: number, harness: "claude" | "codex"): Agent {
  return { pid, harness, cwd: readlinkSync(`/proc/${pid}/cwd`) };
}

/** The process that has written its number to the file of that mark, else the one that runs by a file of the zoo's own
 * with nothing but the mark as argument. */
export function agentMarked(
  mark: string,
  processes: readonly Seen[],
  { folder }: Programs,
): number | undefined {
  const file = `${folder}/pids/${mark}`;
  if (existsSync(file)) return Number(readFileSync(file, "utf8"));
  const isNative = ({ argv, exe }: Seen) => exe.startsWith(folder) && argv.length === 2;
  return processes.find((one) => isNative(one) && one.argv[1] === mark)?.pid;
}
