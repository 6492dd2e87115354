import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import type { TreeRoot } from "./pty/tree.ts";

/** The process that a terminal was started with, as it is now. Absent once it has ended, for whoever has its number then
 * is another, and where the system has nothing left to look with. */
export function rootProcess(
  { state, root }: { readonly state: string; readonly root: TreeRoot | undefined },
  table: ProcessTable,
): ProcessInfo | undefined {
  if (state !== "running" || root === undefined) return undefined;
  const process = unlessOut(() => table.read(root.pid));
  return process?.startTick === root.startTick ? process : undefined;
}

/** What a reading of processes gives, and nothing where no descriptor or memory is left for it. */
export function unlessOut<Reading>(read: () => Reading): Reading | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
