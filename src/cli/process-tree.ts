import type { ExplainedProcess } from "../inventory/explain.ts";

/** A process with how far it is below the first that is not below any other. */
export interface TreeLine {
  readonly process: ExplainedProcess;
  readonly depth: number;
}

/** Processes in the order of a tree: each above those that it started, the oldest first. What was started by a
 * process that is not among them stands at the left. */
export function treeOf(processes: readonly ExplainedProcess[]): TreeLine[] {
  const sorted = [...processes].sort(byAge);
  const pids = new Set(sorted.map(({ process: { pid } }) => pid));
  const below = new Map<number, ExplainedProcess[]>();
  for (const process of sorted) {
    const { parent } = process.process;
    const children = below.get(parent);
    if (children === undefined) below.set(parent, [process]);
    else children.push(process);
  }
  const roots = sorted.filter(({ process: { parent } }) => !pids.has(parent));
  const placed = new Set<number>();
  // Parents were read one after another: a circle has no first one, so whoever is left begins.
  return [...roots, ...sorted].flatMap((first) => walk(first, below, placed));
}

function walk(
  first: ExplainedProcess,
  below: ReadonlyMap<number, readonly ExplainedProcess[]>,
  placed: Set<number>,
): TreeLine[] {
  const lines: TreeLine[] = [];
  const waiting: TreeLine[] = [{ process: first, depth: 0 }];
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    const { pid } = line.process.process;
    if (placed.has(pid)) continue;
    placed.add(pid);
    lines.push(line);
    const depth = line.depth + 1;
    const children = below.get(pid) ?? [];
    waiting.push(...children.map((process) => ({ process, depth })).reverse());
  }
  return lines;
}

function byAge(a: ExplainedProcess, b: ExplainedProcess): number {
  const [first, second] = [BigInt(a.process.startTick), BigInt(b.process.startTick)];
  if (first === second) return a.process.pid - b.process.pid;
  return first > second ? 1 : -1;
}
