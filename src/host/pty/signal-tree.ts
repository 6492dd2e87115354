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
    if (sparesSandbox(root, pid, signal)) continue;
    try {
      if (tools.table.read(pid)?.startTick === startTick) process.kill(pid, signal);
    } catch {
      // It has ended in this moment, or may not be signalled.
    }
  }
}

/** Whether a process is left alone because it would take its sandbox down with it, before the programs there have had time
 * to put their things in order. It ends when they do. */
export function sparesSandbox(root: TreeRoot, pid: number, signal: NodeJS.Signals): boolean {
  return root.isSandbox === true && pid === root.pid && signal !== "SIGKILL";
}
