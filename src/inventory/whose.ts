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
  argv(process: ProcessInfo): string[];
  /** The command to state for a process that is a harness; `undefined` for any other. */
  harness(argv: readonly string[]): string[] | undefined;
}

/** Which process answers whose terminal it is: an agent's run in the terminal; else a harness in it; else the
 * process that the manager started. A shell's ordinary commands never move it.
 *
 * In the terminal is what has it as controlling terminal or descends from its root. Of several runs, one of
 * the foreground job goes first, then the newest; of several harnesses, the one furthest down: a launcher
 * waits for the program proper, which it started. */
export function ownerOf(question: OwnerQuestion): Owner {
  const { root, snapshot, agents, argv, harness } = question;
  const inside = processesIn(root, snapshot);
  const run = preferred(inside.filter((process) => agents.some((agent) => isSame(agent, process))));
  if (run !== undefined) return { process: run, command: harness(argv(run)) ?? argv(run) };
  const harnesses = inside.flatMap((process) => {
    const command = harness(argv(process));
    return command === undefined ? [] : [{ process, command }];
  });
  const innermost = harnesses.filter(
    ({ process }) => !harnesses.some((other) => descends(other.process, process, snapshot)),
  );
  const chosen = preferred(innermost.map(({ process }) => process));
  return (
    innermost.find(({ process }) => process === chosen) ?? { process: root, command: argv(root) }
  );
}

function processesIn(root: ProcessInfo, snapshot: ProcessSnapshot): ProcessInfo[] {
  const inside = new Map([[root.pid, root]]);
  for (const process of snapshot.onTty(root.ttyDevice)) inside.set(process.pid, process);
  for (const process of snapshot.descendants(root.pid)) inside.set(process.pid, process);
  return [...inside.values()];
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
