import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";

/** Resolves once a process that was killed has let go of everything; whether it was waited for makes no difference. */
export async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await turn();
}

export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.charAt(stat.lastIndexOf(")") + 2) !== "Z";
  } catch {
    return false;
  }
}
