import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import type { TreeRoot } from "./pty/tree.ts";
import { programIn } from "./sandbox/program.ts";

/** What is known of the process that a terminal was started with. */
export class Root {
  readonly #table: ProcessTable;
  readonly #isKept: boolean;
  #known: TreeRoot;

  /** `isKept`: somebody else leads the session that it is in. */
  constructor(known: TreeRoot, table: ProcessTable, isKept: boolean) {
    this.#table = table;
    this.#isKept = isKept;
    this.#known = known;
    this.#look();
  }

  /** How it is told from whoever gets its number later. */
  get known(): TreeRoot {
    this.#look();
    return this.#known;
  }

  /** `at` in epoch milliseconds. */
  ended(at: number): void {
    this.#known = { endedAt: at, ...this.#known };
  }

  /** While it is not known to have ended, nobody else has its number. One that has, and was never looked at, stays
   * without its start. */
  #look(): void {
    const { pid, startTick, endedAt } = this.#known;
    if (startTick !== undefined || endedAt !== undefined) return;
    const process = unlessOut(() => this.#table.read(pid));
    if (process === undefined) return;
    const { startTick: began, session } = process;
    const isKept = this.#isKept && session > 0 && session !== pid;
    this.#known = { ...this.#known, startTick: began, ...(isKept ? { session } : {}) };
  }
}

/** The process that a terminal was started with, as it is now. Absent once it has ended, for whoever has its number then
 * is another, and where the system has nothing left to look with. */
export function rootProcess(
  { state, root }: { readonly state: string; readonly root: TreeRoot },
  table: ProcessTable,
): ProcessInfo | undefined {
  if (state !== "running") return undefined;
  const process = unlessOut(() => table.read(root.pid));
  if (process?.startTick !== root.startTick) return undefined;
  return root.isSandbox ? (confined(root.pid, table) ?? process) : process;
}

/** The program in a sandbox, once it is there. */
function confined(sandbox: number, table: ProcessTable): ProcessInfo | undefined {
  const pid = programIn(sandbox);
  return pid === undefined ? undefined : unlessOut(() => table.read(pid));
}

/** What a reading of processes gives, and nothing where no descriptor or memory is left for it. */
export function unlessOut<Reading>(read: () => Reading): Reading | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
