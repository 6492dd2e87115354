import { readFileSync } from "node:fs";
import type { Clock } from "../../time/clock.ts";
import { isDeaf } from "./command-line.ts";

/** The process in a sandbox that was asked for, by that of its bwrap: the child of its child, which minds those that
 * lost their parents. Undefined until it is there, and where the kernel lists no children (proc(5),
 * /proc/pid/task/tid/children). */
export function programIn(bwrap: number): number | undefined {
  const minder = firstChild(bwrap);
  return minder === undefined ? undefined : firstChild(minder);
}

/** The eldest. */
function firstChild(pid: number): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
    return child ? Number(child) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether signals reach the program by now. */
function hears(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return !isDeaf(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1));
  } catch {
    return false;
  }
}

/** How often it is looked for a program that is to come, and for how long, in milliseconds. */
const LOOK_MS = 2;
const LIMIT_MS = 10_000;

/** Resolves once the program of a sandbox is there, so that signals reach it; also where there will be none any more, and
 * after 10 s. */
export async function programThere(
  sandbox: { readonly state: string; readonly pid: number | undefined },
  clock: Clock,
): Promise<void> {
  const end = clock.monotonic() + LIMIT_MS;
  while (sandbox.state === "running" && clock.monotonic() < end) {
    if (sandbox.pid === undefined || hears(programIn(sandbox.pid))) return;
    await new Promise<void>((resolve) => clock.schedule(LOOK_MS, resolve));
  }
}
