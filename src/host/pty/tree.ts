import type {
  ProcessInfo,
  ProcessKey,
  ProcessSnapshot,
  ProcessTable,
} from "../../processes/types.ts";
import type { Clock } from "../../time/clock.ts";

/** How long open files are listed before others get to run, in milliseconds. */
const SLICE_MS = 3;

/** How far off the start of a process may be: the kernel counts it in ticks, and the clock may have been set. */
const START_FUZZ_MS = 100;

/** The program of a terminal. */
export interface TreeRoot {
  readonly pid: number;
  /** Absent where it had ended before it could be looked at: then nobody who has its number is it. */
  readonly startTick?: string;
  /** When the terminal was opened, in epoch milliseconds. */
  readonly begunAt: number;
  /** Path of the terminal, for when the program itself has ended: what else ran there is then known by it alone. */
  readonly tty?: string | undefined;
  /** When the program ended, in epoch milliseconds: who began later has the device from somebody else. */
  readonly endedAt?: number | undefined;
  /** The session that it is in, where that is led by what keeps it: everything else in it is the terminal's. */
  readonly session?: number | undefined;
  /** Whether it is not the program but what keeps it in its sandbox, and ends all of it when it ends itself. */
  readonly isSandbox?: boolean | undefined;
}

export interface Tools {
  readonly table: ProcessTable;
  readonly clock: Clock;
}

/** All processes that belong to a terminal, by every link that the kernel keeps:
 *
 * - the session that its program leads, and the terminal that controls them;
 * - children of those and of what was found `before`, whatever session they began. A child whose parent has ended
 *   meanwhile is still known if it was found once;
 * - processes without any terminal that began after the program and still hold this one open: `setsid` in an
 *   interactive shell.
 *
 * A daemon that gave up its session, its parent and the terminal has left on purpose and is not among them: a tmux
 * server or an ssh agent outlives the terminal that it was started in. */
export async function processesOf(
  root: TreeRoot,
  before: Iterable<ProcessKey>,
  { table, clock }: Tools,
): Promise<ProcessInfo[]> {
  const snapshot = await table.sweep();
  const found = new Map<number, ProcessInfo>();
  const spared = selfAndAncestors(snapshot);
  const add = (first: ProcessInfo | undefined) => {
    const open = [first];
    for (let process = open.pop(); process !== undefined; process = open.pop()) {
      if (spared.has(process.pid) || found.has(process.pid)) continue;
      found.set(process.pid, process);
      open.push(...snapshot.children(process.pid));
    }
  };
  const alive = (key: Partial<ProcessKey> & Pick<ProcessKey, "pid">) => {
    const process = snapshot.get(key.pid);
    return process?.startTick === key.startTick ? process : undefined;
  };
  const leader = alive(root);
  add(leader);
  sessionOf(root, snapshot, table).forEach(add);
  // A program that leads no session has the terminal of somebody else.
  if (leader?.session === root.pid) snapshot.onTty(leader.ttyDevice).forEach(add);
  for (const key of before) add(alive(key));
  const device = root.tty ?? leader?.tty;
  if (device !== undefined) {
    const isNew = (process: ProcessInfo) => !found.has(process.pid) && !spared.has(process.pid);
    const candidates = detachedSince(snapshot, root, table).filter(isNew);
    // The name goes with the program's end, and the next terminal may have it: who holds the old one is told by the
    // kernel's mark.
    const path = leader === undefined ? `${device} (deleted)` : device;
    for (const process of await holding(path, candidates, { table, clock })) add(process);
  }
  return [...found.values()];
}

/** The session that the program leads. While a session has members nobody else gets its number; where somebody else has
 * that, it has none. With the program gone and the last of its session too, the number may since have been that of
 * another session, which may have lost its leader as well, as the sessions of daemons do: in ours is somebody who began
 * while the program ran. */
function sessionOf(
  root: TreeRoot,
  snapshot: ProcessSnapshot,
  table: ProcessTable,
): readonly ProcessInfo[] {
  const { pid, startTick, session: kept } = root;
  const leader = snapshot.get(pid);
  if (kept === undefined && leader !== undefined && leader.startTick !== startTick) return [];
  const members = [...snapshot.all()].filter(
    (process) => process.session === (kept ?? pid) && process.pid !== kept,
  );
  const isOurs = members.some((process) => beganWith(process, root, table));
  return isOurs ? members : [];
}

/** Processes that no terminal controls and that began while the program ran. */
function detachedSince(
  snapshot: ProcessSnapshot,
  root: TreeRoot,
  table: ProcessTable,
): ProcessInfo[] {
  return [...snapshot.all()].filter(
    (process) => process.ttyDevice === 0 && beganWith(process, root, table),
  );
}

/** Whether it began when the program did or later, and not after the program's end. */
function beganWith(process: ProcessInfo, root: TreeRoot, table: ProcessTable): boolean {
  const { startTick, begunAt, endedAt } = root;
  const began = table.startedAt(process);
  const isLateEnough =
    startTick === undefined
      ? (began ?? begunAt) >= begunAt - START_FUZZ_MS
      : BigInt(process.startTick) >= BigInt(startTick);
  return isLateEnough && (endedAt === undefined || (began ?? endedAt) <= endedAt + START_FUZZ_MS);
}

/** Those of the processes that hold this file open. One whose files cannot be read is another user's. */
async function holding(
  path: string,
  candidates: readonly ProcessInfo[],
  { table, clock }: Tools,
): Promise<ProcessInfo[]> {
  const holders: ProcessInfo[] = [];
  let sliceBegan = clock.monotonic();
  for (const process of candidates) {
    if (clock.monotonic() - sliceBegan >= SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegan = clock.monotonic();
    }
    if (table.openFiles(process.pid)?.includes(path)) holders.push(process);
  }
  return holders;
}

/** This process and those that it came from: none of them is ever a terminal's, whatever a number that was reused in the
 * midst of a sweep makes it look like. */
function selfAndAncestors(snapshot: ProcessSnapshot): ReadonlySet<number> {
  const pids = new Set([1]);
  let pid: number | undefined = process.pid;
  while (pid !== undefined && pid > 0 && !pids.has(pid)) {
    pids.add(pid);
    pid = snapshot.get(pid)?.parent;
  }
  return pids;
}
