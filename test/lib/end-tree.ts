import { readdirSync, readFileSync } from "node:fs";

/** Ends exactly this process and all that descend from it, however suspended or detached from their terminals they are.
 * A wrapper such as `script` may outlive the server that it ran in, and then spin for ever. */
export function endTree(pid: number): void {
  const tree = [pid, ...descendantsOf(pid)];
  for (const one of tree) {
    try {
      process.kill(one, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    const parent = /^\d+$/.test(entry) ? parentOf(Number(entry)) : undefined;
    if (parent !== undefined)
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found: number[] = [];
  const level = [pid];
  for (let one = level.pop(); one !== undefined; one = level.pop()) {
    const below = children.get(one) ?? [];
    found.push(...below);
    level.push(...below);
  }
  return found;
}

/** `undefined` once it has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
