import { constants } from "node:os";
import type { PtyExit } from "../pty/pty.ts";

/** What a shell adds to the number of a signal that ended its program, and bwrap as well. */
const BY_SIGNAL = 128;

/** How the program in a sandbox ended, by how its bwrap did, which says an end by a signal as shells do. One that ends itself
 * with such a code cannot be told from that. */
export function endInSandbox(exit: PtyExit): PtyExit {
  const { code = 0, ...rest } = exit;
  const signal = code > BY_SIGNAL ? signalNamed(code - BY_SIGNAL) : undefined;
  return signal === undefined ? exit : { ...rest, signal };
}

function signalNamed(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
}
