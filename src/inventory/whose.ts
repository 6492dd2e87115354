import type { ProcessInfo, ProcessKey, ProcessSnapshot } from "../processes/types.ts";

/** A process, and what is stated as its command. */
export interface Owner {
  readonly process: ProcessInfo;
  readonly command: string[];
}

/** What the rule reads. */
export interface OwnerQuestion {
  /** The process that the manager started. */
  readonly root: ProcessInfo;
  readonly snapshot: ProcessSnapshot;
  /** The processes that are runs of an agent. */
  readonly agents: readonly ProcessKey[];
  /** Devices of terminals that have rows of their own. */
  readonly ttys: ReadonlySet<string>;
  argv(process: ProcessInfo): string[];
  /** The command to state for a process that is a harness; `undefined` for any other. */
  harness(argv: readonly string[]): string[] | undefined;
}

/** Which process answers whose terminal it is: an agent's run in the terminal; else a harness in it; else the
 * process that the manager started. A shell's ordinary commands never move it.
 *
 * In the terminal is what has it as controlling terminal or descends from its root, but for what is in a
 * terminal with a row of its own: a pid is in one row. Those of the foreground job go first. Then of several
 * runs the newest, of several harnesses the one furthest down: a launcher waits for the program proper, which
 * it started in its own job, while what an agent starts as its tools is in jobs of their own. */
export function ownerOf(question: OwnerQuestion): Owner {
  const { root, snapshot, agents, argv, harness } = question;
  const inside = processesIn(question);
  const run = preferred(inside.filter((process) => agents.some((agent) => isSame(agent, process))));
  if (run !== undefined) return { process: run, command: harness(argv(run)) ?? argv(run) };
  const harnesses = inside.filter((process) => harness(argv(process)) !== undefined);
  const process = preferred(innermost(inFront(harnesses), snapshot)) ?? root;
  return { process, command: harness(argv(process)) ?? argv(process) };
}

function processesIn({ root, snapshot, ttys }: OwnerQuestion): ProcessInfo[] {
  const shown = snapshot.get(root.pid);
  // A snapshot from before the root began shows who had its terminal's device then.
  if (shown === undefined || !isSame(shown, root)) return [root];
  const isElsewhere = ({ tty }: ProcessInfo) =>
    tty !== undefined && tty !== root.tty && ttys.has(tty);
  const inside = new Map([[root.pid, root]]);
  // What is added on the way is walked through too.
  for (const { pid } of inside.values()) {
    for (const child of snapshot.children(pid))
      if (!isElsewhere(child)) inside.set(child.pid, child);
  }
  for (const process of snapshot.onTty(root.ttyDevice)) inside.set(process.pid, process);
  return [...inside.values()];
}

/** Those of the foreground job; all where there is none. */
function inFront(harnesses: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const front = harnesses.filter(isForeground);
  return front.length > 0 ? front : harnesses;
}

/** Those that none of the others descends from; all where, read one after another, they form a circle. */
function innermost(
  harnesses: readonly ProcessInfo[],
  snapshot: ProcessSnapshot,
): readonly ProcessInfo[] {
  const last = harnesses.filter(
    (process) => !harnesses.some((other) => descends(other, process, snapshot)),
  );
  return last.length > 0 ? last : harnesses;
}

function preferred(processes: readonly ProcessInfo[]): ProcessInfo | undefined {
  return processes.toSorted(byPreference)[0];
}

function byPreference(a: ProcessInfo, b: ProcessInfo): number {
  const foreground = Number(isForeground(b)) - Number(isForeground(a));
  if (foreground !== 0) return foreground;
  return a.startTick === b.startTick
    ? b.pid - a.pid
    : BigInt(b.startTick) > BigInt(a.startTick)
      ? 1
      : -1;
}

const isForeground = ({ group, foregroundGroup }: ProcessInfo) => group === foregroundGroup;

const isSame = (a: ProcessKey, b: ProcessKey) => a.pid === b.pid && a.startTick === b.startTick;

/** Whether `process` is below `ancestor`. */
function descends(process: ProcessInfo, ancestor: ProcessInfo, snapshot: ProcessSnapshot): boolean {
  const passed = new Set<number>();
  let above = snapshot.get(process.parent);
  while (above !== undefined && !passed.has(above.pid)) {
    if (above.pid === ancestor.pid) return true;
    passed.add(above.pid);
    above = snapshot.get(above.parent);
  }
  return false;
}
