import { processesOf, type Tools, type TreeRoot } from "./tree.ts";

/** Sends a signal to the program of a terminal and to everything that belongs to it (`processesOf` says what does), each
 * asked for its start right before. One that has ended meanwhile, or is another user's, is passed over. Rejects where the
 * processes cannot be listed. */
export async function signalTree(
  root: TreeRoot,
  tools: Tools,
  signal: NodeJS.Signals,
): Promise<void> {
  for (const { pid, startTick } of await processesOf(root, [], tools)) {
    try {
      if (tools.table.read(pid)?.startTick === startTick) process.kill(pid, signal);
    } catch {
      // It has ended in this moment, or may not be signalled.
    }
  }
}
