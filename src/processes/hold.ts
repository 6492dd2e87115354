import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { parseStat, STAT_BYTES } from "./stat.ts";
import type { HeldProcess, ProcessInfo, ProcessKey } from "./types.ts";

const scratch = Buffer.allocUnsafe(STAT_BYTES);

/** Holds a process by a descriptor of its `stat` file. Procfs binds the descriptor to the process
 * and not to its number: once that process is reaped every reading is refused with ESRCH, whoever
 * has the number by then. Undefined when that process has ended, or no descriptor is to be had. */
export function holdStat(
  statPath: string,
  { pid, startTick }: ProcessKey,
): HeldProcess | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(statPath, "r");
  } catch {
    return undefined;
  }
  const held: HeldProcess = {
    pid,
    read: () => (descriptor === undefined ? undefined : readAgain(descriptor)),
    release() {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
    },
  };
  if (held.read()?.startTick === startTick) return held;
  held.release();
  return undefined;
}

function readAgain(descriptor: number): ProcessInfo | undefined {
  try {
    return parseStat(scratch, readSync(descriptor, scratch, 0, scratch.length, 0));
  } catch {
    return undefined;
  }
}
