import type { ProcessFacts } from "../processes/facts.ts";
import type {
  Cwd,
  HeldProcess,
  ProcessInfo,
  ProcessKey,
  ProcessTable,
} from "../processes/types.ts";
import { boundedPath } from "../sources/text.ts";
import type { Clock } from "../time/clock.ts";

interface Watched {
  readonly held: HeldProcess;
  readonly isShown: boolean;
  last: ProcessInfo;
  cwd: string | undefined;
  /** When it was last looked at, in the monotonic clock. */
  lookedAt: number;
}

/** How long what was seen of a process stands, in milliseconds: it is looked at as often. */
const STANDS_MS = 1_000;

/** Keeps an eye on the processes that rows are about: whether they live, what job is in front of their
 * terminal, what they run and where. None of that is announced, so it is looked at once a second, through
 * descriptors that a reused pid cannot deceive. */
export class Vigil {
  readonly #table: ProcessTable;
  readonly #facts: ProcessFacts;
  readonly #clock: Clock;
  #watched = new Map<string, Watched>();
  /** Whether one had ended before it could be watched. */
  #cameLate = false;

  constructor(table: ProcessTable, facts: ProcessFacts, clock: Clock) {
    this.#table = table;
    this.#facts = facts;
    this.#clock = clock;
  }

  /** Watches these processes and no others. `shown` are those whose directory is on a row. */
  keep(shown: Iterable<ProcessInfo>, others: Iterable<ProcessInfo>): void {
    const before = this.#watched;
    this.#watched = new Map();
    this.#cameLate = false;
    try {
      for (const process of shown) this.#watch(process, true, before);
      for (const process of others) this.#watch(process, false, before);
    } finally {
      for (const { held } of before.values()) held.release();
    }
  }

  /** Whether something differs from when it was last looked at. */
  look(): boolean {
    let differs = this.#cameLate;
    for (const watched of this.#watched.values()) {
      const process = watched.held.read();
      if (process === undefined) {
        differs = true;
        continue;
      }
      if (!isAlike(process, watched.last)) differs = true;
      watched.last = process;
      if (!watched.isShown) continue;
      const { cwd } = watched;
      if (this.#cwdOf(watched, process) !== cwd) differs = true;
    }
    return differs;
  }

  /** The directory to state for a process. Of one that is watched it is the one that was seen at the last look, and
   * where that is too long ago, it is not read again as long as the process has not run. */
  cwdOf(process: ProcessInfo): string | undefined {
    const watched = this.#watched.get(keyOf(process));
    if (!watched?.isShown) return stated(this.#facts.cwd(process));
    const isRecent = this.#clock.monotonic() - watched.lookedAt < STANDS_MS;
    return isRecent ? watched.cwd : this.#cwdOf(watched, process);
  }

  #cwdOf(watched: Watched, process: ProcessInfo): string | undefined {
    watched.lookedAt = this.#clock.monotonic();
    if (watched.held.hasRun()) watched.cwd = stated(this.#facts.cwdNow(process));
    return watched.cwd;
  }

  stop(): void {
    this.keep([], []);
  }

  #watch(process: ProcessInfo, isShown: boolean, before: Map<string, Watched>): void {
    const key = keyOf(process);
    if (this.#watched.has(key)) return;
    const known = before.get(key);
    before.delete(key);
    const held = known?.held ?? this.#table.hold(process.pid, process.startTick);
    if (held === undefined) {
      this.#cameLate ||= this.#table.read(process.pid)?.startTick !== process.startTick;
      return;
    }
    // Of one that was watched the directory is known from when it ran last.
    const lookedAt = known?.lookedAt ?? this.#clock.monotonic();
    const watched: Watched = { held, isShown, last: process, cwd: known?.cwd, lookedAt };
    this.#watched.set(key, watched);
    if (isShown && !known?.isShown) watched.cwd = stated(this.#facts.cwd(process));
  }
}

/** Absent also where the directory has been deleted: no such place is there any more. */
function stated(cwd: Cwd | undefined): string | undefined {
  return cwd === undefined || cwd.deleted ? undefined : boundedPath(cwd.path);
}

function isAlike(a: ProcessInfo, b: ProcessInfo): boolean {
  if (a === b) return true;
  return (
    a.foregroundGroup === b.foregroundGroup &&
    a.group === b.group &&
    a.name === b.name &&
    a.ttyDevice === b.ttyDevice
  );
}

const keyOf = ({ pid, startTick }: ProcessKey) => `${pid} ${startTick}`;
