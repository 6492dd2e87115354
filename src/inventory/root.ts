import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { ObservedTerminal } from "./terminal.ts";

/** How far apart a manager and the kernel may be about when a process began, in milliseconds: managers note the time
 * around the fork, the kernel's is known to a second after the wall clock was set. */
const SAME_START_MS = 5_000;

/** What the processes of a terminal are looked for in. */
export interface RootContext {
  readonly table: ProcessTable;
  readonly facts: ProcessFacts;
  readonly snapshot: ProcessSnapshot;
  /** Whether the snapshot may be older than what sources say, so that a number in it may have been reused. */
  readonly isOld: boolean;
}

/** The process that the manager started, if it can be believed: one whose controlling terminal is another, or
 * that has none, or that began at another time, has its number from another pid name space, or is somebody who got
 * the number later. */
export function rootOf(terminal: ObservedTerminal, context: RootContext): ProcessInfo | undefined {
  const { rootPid, rootStartedAt, tty } = terminal;
  if (rootPid === undefined) return undefined;
  const { snapshot, table, facts, isOld } = context;
  const shown = isOld ? undefined : snapshot.get(rootPid);
  const root = shown ?? table.read(rootPid) ?? (isOld ? snapshot.get(rootPid) : undefined);
  if (root === undefined) return undefined;
  const startedAt = rootStartedAt === undefined ? undefined : facts.startedAt(root);
  if (startedAt !== undefined && rootStartedAt !== undefined) {
    if (Math.abs(startedAt - rootStartedAt) > SAME_START_MS) return undefined;
  }
  if (tty === undefined || root.tty === tty) return root;
  if (root.tty !== undefined) return undefined;
  // Before it has been through exec it may not have its terminal yet, and some kernels tell of none at all.
  return isCopyOfParent(root, context) || !tellsTerminals(snapshot) ? root : undefined;
}

/** Whether a process still is what its parent was when it was forked: of the same name, and of the same
 * arguments or, in the midst of exec, of none. */
export function isCopyOfParent(
  process: ProcessInfo,
  { table, facts, snapshot }: Omit<RootContext, "isOld">,
): boolean {
  const parent = snapshot.get(process.parent) ?? table.read(process.parent);
  if (parent === undefined || parent.name !== process.name) return false;
  const argv = facts.argv(process);
  return argv.length === 0 || argv.join("\0") === facts.argv(parent).join("\0");
}

/** gVisor's /proc says of no process which terminal it has. */
function tellsTerminals(snapshot: ProcessSnapshot): boolean {
  for (const { ttyDevice } of snapshot.all()) if (ttyDevice !== 0) return true;
  return false;
}
