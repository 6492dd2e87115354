import type { ProcessInfo, ProcessKey, ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { boundedPath } from "./text.ts";

/** How long a process must have been known by its name before what was read of it is taken as settled, in
 * milliseconds. One that has just appeared may be about to run something else: every program begins as a copy
 * of its parent, and for a moment in between has no argv at all. */
const SETTLED_MS = 1_000;

interface Remembered {
  readonly name: string;
  readonly argv: string[];
  /** When the process was first seen under that name, and when its argv was read, in the monotonic clock. */
  readonly seenAt: number;
  readonly readAt: number;
}

/** What processes run and where, read when asked for and remembered while it holds. */
export class ProcessFacts {
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  #argv = new Map<string, Remembered>();
  #used = new Map<string, Remembered>();

  constructor(table: ProcessTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** The argv of a process; empty where it cannot be read. An exec changes the kernel's name of a process,
   * and so does a program that sets its title, so with the name what is remembered goes. */
  argv(process: ProcessInfo): string[] {
    const key = keyOf(process);
    const known = this.#used.get(key) ?? this.#argv.get(key);
    const same = known?.name === process.name ? known : undefined;
    if (same !== undefined && same.readAt - same.seenAt >= SETTLED_MS) {
      this.#used.set(key, same);
      return same.argv;
    }
    const argv = this.#table.argv(process.pid) ?? [];
    const readAt = this.#clock.monotonic();
    this.#used.set(key, { name: process.name, argv, seenAt: same?.seenAt ?? readAt, readAt });
    return argv;
  }

  /** Its working directory. Absent where it cannot be read, or has been deleted: no such place is there
   * any more. */
  cwd(process: ProcessInfo): string | undefined {
    const cwd = this.#table.cwd(process.pid);
    return cwd === undefined || cwd.deleted ? undefined : boundedPath(cwd.path);
  }

  startedAt(process: ProcessKey): number | undefined {
    return this.#table.startedAt(process);
  }

  /** Forgets what was not asked for since the last call. */
  prune(): void {
    this.#argv = this.#used;
    this.#used = new Map();
  }
}

const keyOf = ({ pid, startTick }: ProcessKey) => `${pid} ${startTick}`;
