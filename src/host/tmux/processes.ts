import { readFileSync } from "node:fs";
import { errorCode } from "../../files/reason.ts";

/** Whether a process has ended and its parent has not noticed. */
export const isUnnoticed = (pid: number): boolean => stateOf(pid)?.letter === "Z";

/** Whether a process is there. One that has ended and was not waited for is not. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  if (state !== undefined) return state.letter !== "Z" && state.letter !== "X";
  try {
    process.kill(pid, 0);
    return process.platform !== "linux";
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Whether the writer of a log waits for more to write: all that it had been given is written then. `undefined` where that
 * cannot be seen, without a /proc of Linux. */
export function isWaiting(writer: number): boolean | undefined {
  try {
    const children = readFileSync(`/proc/${writer}/task/${writer}/children`, "latin1");
    const [child, ...others] = children.trim().split(" ");
    const state = others.length === 0 ? stateOf(Number(child)) : undefined;
    // Between two pieces other programs are its child.
    return state?.name === "dd" && state.letter === "S";
  } catch {
    return stateOf(writer) === undefined ? undefined : false;
  }
}

/** Name and state of proc(5), `/proc/pid/stat`. */
function stateOf(pid: number): { readonly name: string; readonly letter: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), letter: stat.charAt(end + 2) };
  } catch {
    return undefined;
  }
}
