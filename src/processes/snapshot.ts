import type { ProcessInfo, ProcessSnapshot } from "./types.ts";

const NONE: readonly ProcessInfo[] = [];

/** Arranges what a sweep has read. Groupings are made when first asked for: most readers want one
 * of them. */
export function createSnapshot(takenAt: number, processes: Iterable<ProcessInfo>): ProcessSnapshot {
  const byPid = new Map<number, ProcessInfo>();
  for (const process of processes) byPid.set(process.pid, process);
  const byParent = grouping(byPid, (process) => process.parent);
  const byTty = grouping(byPid, (process) => process.ttyDevice);
  const byGroup = grouping(byPid, (process) => process.group);
  const children = (pid: number) => byParent().get(pid) ?? NONE;
  return {
    takenAt,
    get: (pid) => byPid.get(pid),
    all: () => byPid.values(),
    children,
    descendants: (pid) => descendants(pid, children),
    onTty: (device) => (device === 0 ? NONE : (byTty().get(device) ?? NONE)),
    inGroup: (group) => byGroup().get(group) ?? NONE,
  };
}

function grouping(
  processes: ReadonlyMap<number, ProcessInfo>,
  keyOf: (process: ProcessInfo) => number,
): () => ReadonlyMap<number, readonly ProcessInfo[]> {
  let groups: Map<number, ProcessInfo[]> | undefined;
  return () => {
    groups ??= group(processes.values(), keyOf);
    return groups;
  };
}

function group(
  processes: Iterable<ProcessInfo>,
  keyOf: (process: ProcessInfo) => number,
): Map<number, ProcessInfo[]> {
  const groups = new Map<number, ProcessInfo[]>();
  for (const process of processes) {
    const members = groups.get(keyOf(process));
    if (members === undefined) groups.set(keyOf(process), [process]);
    else members.push(process);
  }
  return groups;
}

/** Parents were read one after another, so a number that was reused meanwhile can close a circle:
 * each process counts once. */
function descendants(
  root: number,
  children: (pid: number) => readonly ProcessInfo[],
): ProcessInfo[] {
  const seen = new Set([root]);
  const found: ProcessInfo[] = [];
  let level = [root];
  while (level.length > 0) {
    const next = level.flatMap((pid) => children(pid)).filter(({ pid }) => !seen.has(pid));
    for (const process of next) seen.add(process.pid);
    found.push(...next);
    level = next.map(({ pid }) => pid);
  }
  return found;
}
