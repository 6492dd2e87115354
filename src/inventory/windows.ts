import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessKey, ProcessSnapshot } from "../processes/types.ts";

/** How long a child may look like a copy of its manager, in milliseconds, until it is taken for what it runs. From
 * fork to exec it takes 0 to 7. */
const COPY_MS = 1_000;

/** The kernel cuts the names of processes (`TASK_COMM_LEN`, with its NUL). */
const NAME_CHARACTERS = 15;

/** Whether a process is called like a program; the packages of Nix wrap programs under another name. */
export function isCalled({ name }: ProcessInfo, program: string): boolean {
  const cut = name.slice(0, NAME_CHARACTERS);
  return [program, `.${program}-wrapped`].some((one) => one.slice(0, NAME_CHARACTERS) === cut);
}

/** The windows of a manager as the kernel knows them: its children that lead a session on a terminal of their own. */
export function windowsOf(manager: ProcessInfo, snapshot: ProcessSnapshot): ProcessInfo[] {
  return snapshot
    .children(manager.pid)
    .filter(({ pid, session, tty }) => session === pid && tty !== undefined && tty !== manager.tty);
}

/** Whether a child still is what its manager was when it was forked: its environment is then the manager's own. */
function isCopyOf(manager: ProcessInfo, child: ProcessInfo, facts: ProcessFacts): boolean {
  const argv = facts.argv(child);
  return argv.length === 0 || argv.join("\0") === facts.argv(manager).join("\0");
}

export const keyOf = ({ pid, startTick }: ProcessKey) => `${pid}.${startTick}`;

/** A window, and what it is called within its manager. */
export interface NamedWindow {
  readonly process: ProcessInfo;
  /** Unique within the manager's life: the number that the window's process was given in its environment, else that
   * process's pid and start tick with a dot between. */
  readonly handle: string;
  /** The number alone. Absent where it was given none, or one that another window has. */
  readonly number?: string;
}

interface KnownWindow {
  readonly seenAt: number;
  named: NamedWindow | undefined;
}

/** Names the windows of one manager by what it gave them in their environment. A name stays with its process whatever
 * that runs later, and whatever number its manager moves the window to. */
export class NamedWindows {
  readonly #manager: ProcessInfo;
  readonly #numberOf: (window: ProcessInfo, facts: ProcessFacts) => string | undefined;
  #known = new Map<string, KnownWindow>();

  /** `numberOf` reads a window's number; `undefined` where it was given none. */
  constructor(
    manager: ProcessInfo,
    numberOf: (window: ProcessInfo, facts: ProcessFacts) => string | undefined,
  ) {
    this.#manager = manager;
    this.#numberOf = numberOf;
  }

  /** The windows that have come so far that they can be named, oldest first. `now` is of the monotonic clock. */
  name(windows: readonly ProcessInfo[], facts: ProcessFacts, now: number): NamedWindow[] {
    const known = new Map<string, KnownWindow>();
    for (const window of windows) {
      const key = keyOf(window);
      known.set(key, this.#known.get(key) ?? { seenAt: now, named: undefined });
    }
    this.#known = known;
    const named = windows.toSorted(byAge).map((process) => {
      const window = known.get(keyOf(process));
      if (window === undefined) return undefined;
      const isCopy = now - window.seenAt < COPY_MS && isCopyOf(this.#manager, process, facts);
      if (window.named === undefined && !isCopy) window.named = this.#named(process, facts);
      // As it is now: it may have another name or state.
      return window.named && { ...window.named, process };
    });
    return named.filter((window) => window !== undefined);
  }

  /** How long ago the youngest window was seen first that cannot be named yet, in milliseconds. `undefined` where
   * all are named. */
  unnamedFor(now: number): number | undefined {
    const ages = [...this.#known.values()].flatMap(({ named, seenAt }) =>
      named === undefined ? now - seenAt : [],
    );
    return ages.length === 0 ? undefined : Math.min(...ages);
  }

  #named(process: ProcessInfo, facts: ProcessFacts): NamedWindow {
    const number = this.#numberOf(process, facts);
    const isTaken = [...this.#known.values()].some(({ named }) => named?.number === number);
    if (number === undefined || isTaken) return { process, handle: keyOf(process) };
    return { process, handle: number, number };
  }
}

/** Oldest first. */
export function byAge(a: ProcessInfo, b: ProcessInfo): number {
  if (a.startTick === b.startTick) return a.pid - b.pid;
  return BigInt(a.startTick) < BigInt(b.startTick) ? -1 : 1;
}
