import { readFileSync } from "node:fs";

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
