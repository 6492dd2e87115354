import type { Clock } from "../time/clock.ts";
import type { Cwd, ProcessInfo, ProcessKey, ProcessSnapshot, ProcessTable } from "./types.ts";

/** How long a process must have been known by its name before what was read of it is taken as settled, in
 * milliseconds. One that has just appeared may be about to run something else: every program begins as a copy
 * of its parent, and for a moment in between has no argv at all. */
const SETTLED_MS = 1_000;

/** How long facts are read before others get to run, in milliseconds. The bound is 5 ms; the rest is for one slow
 * reading and a slow machine. */
const SLICE_MS = 3;

interface Remembered {
  readonly name: string;
  readonly argv: readonly string[];
  /** Both are read when first asked for. `null`: not asked for yet. */
  exe: string | undefined | null;
  environment: ReadonlyMap<string, string> | undefined | null;
  /** When the process was first seen under that name, and when this was read, in the monotonic clock. */
  readonly seenAt: number;
  readonly readAt: number;
}

/** What processes run and where, read when asked for and remembered while it holds. An exec changes the kernel's
 * name of a process, and so does a program that sets its title, so with the name what is remembered goes. */
export class ProcessFacts {
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  #known = new Map<string, Remembered>();
  /** Of which processes everything was read since the last `refresh` began. */
  #fresh = new Set<string>();
  /** Directories that were read since then. */
  #cwds = new Map<string, Cwd | undefined>();

  constructor(table: ProcessTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Reads what is not known of these processes, in slices, and forgets all others. What is asked for afterwards
   * is answered without a reading, until the next call. */
  async refresh(snapshot: ProcessSnapshot): Promise<void> {
    const kept = new Map<string, Remembered>();
    this.#fresh = new Set();
    this.#cwds = new Map();
    let sliceBegan = this.#clock.monotonic();
    for (const process of snapshot.all()) {
      const before = this.#known.get(keyOf(process));
      if (this.#clock.monotonic() - sliceBegan >= SLICE_MS) {
        await nextTurn();
        sliceBegan = this.#clock.monotonic();
      }
      const now = this.#upToDate(process, before) ?? this.#readNow(process, before);
      kept.set(keyOf(process), now);
      this.#fresh.add(keyOf(process));
      // Of one on a terminal that is new to us the directory will be asked for.
      if (before === undefined && process.ttyDevice !== 0) this.cwd(process);
    }
    this.#known = kept;
    // What is made of all this takes its own time.
    await nextTurn();
  }

  /** The argv of a process; empty where it cannot be read. The same list as before where nothing was read anew. */
  argv(process: ProcessInfo): readonly string[] {
    return this.#of(process).argv;
  }

  /** The program file behind it. Absent where it cannot be read. */
  exe(process: ProcessInfo): string | undefined {
    const known = this.#of(process);
    if (known.exe === null) known.exe = this.#table.exe(process.pid);
    return known.exe;
  }

  /** A variable of the environment that it was started with. Absent where there is none, or it cannot be read. */
  variable(process: ProcessInfo, name: string): string | undefined {
    const known = this.#of(process);
    if (known.environment === null) known.environment = this.#table.environment(process.pid);
    return known.environment?.get(name);
  }

  /** Its working directory, also where that has been deleted, as it was at some time since the last `refresh` began.
   * Absent where it cannot be read. */
  cwd(process: ProcessKey): Cwd | undefined {
    const key = keyOf(process);
    const known = this.#cwds.get(key);
    return known !== undefined || this.#cwds.has(key) ? known : this.cwdNow(process);
  }

  /** The same as it is now. */
  cwdNow(process: ProcessKey): Cwd | undefined {
    const cwd = this.#table.cwd(process.pid);
    this.#cwds.set(keyOf(process), cwd);
    return cwd;
  }

  startedAt(process: ProcessKey): number | undefined {
    return this.#table.startedAt(process);
  }

  #of(process: ProcessInfo): Remembered {
    const key = keyOf(process);
    const before = this.#known.get(key);
    const isFresh = before?.name === process.name && this.#fresh.has(key);
    const now =
      (isFresh ? before : this.#upToDate(process, before)) ?? this.#readNow(process, before);
    this.#known.set(key, now);
    return now;
  }

  #upToDate(process: ProcessInfo, before: Remembered | undefined): Remembered | undefined {
    if (before?.name !== process.name) return undefined;
    return before.readAt - before.seenAt >= SETTLED_MS ? before : undefined;
  }

  #readNow(process: ProcessInfo, before: Remembered | undefined): Remembered {
    const { name, pid } = process;
    const same = before?.name === name ? before : undefined;
    const argv = this.#table.argv(pid) ?? [];
    const readAt = this.#clock.monotonic();
    // One that is about to end has no argv any more; what it ran holds until it is gone.
    const isSame = same !== undefined && (argv.length === 0 || areEqual(same.argv, argv));
    return {
      name,
      // The same list, so that what was made of it holds.
      argv: isSame ? same.argv : argv,
      exe: isSame ? same.exe : null,
      environment: isSame ? same.environment : null,
      seenAt: same?.seenAt ?? readAt,
      readAt,
    };
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const areEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((part, index) => part === b[index]);

const keyOf = ({ pid, startTick }: ProcessKey) => `${pid} ${startTick}`;
