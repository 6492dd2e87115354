import type { ProcessInfo } from "../processes/types.ts";

/** The last argument of a process that a terminal host has in front of a program, to see it end. */
export const KEEPER_ARGUMENT = "termtopic-keeper";

/** The program that a terminal is about where its manager started a keeper: the oldest that this started. `root` itself where it
 * is none, or has nothing yet. */
export function keptBy(
  root: ProcessInfo,
  argv: readonly string[],
  inside: readonly ProcessInfo[],
): ProcessInfo {
  if (argv.at(-1) !== KEEPER_ARGUMENT) return root;
  const [oldest] = inside
    .filter(({ parent }) => parent === root.pid)
    .sort((a, b) => Number(BigInt(a.startTick) - BigInt(b.startTick)));
  return oldest ?? root;
}
