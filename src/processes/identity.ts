import type { ProcessKey } from "./types.ts";

/** Names one process among all that this host has run or will run: a number comes back within
 * seconds on a busy host, a start tick after a reboot, and both together never within one boot. For
 * keys and comparisons; nothing parses it. */
export function processIdentity(bootId: string, { pid, startTick }: ProcessKey): string {
  return `${bootId}/${pid}/${startTick}`;
}
