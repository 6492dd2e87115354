import type { ProcessInfo, ProcessSnapshot } from "../../processes/types.ts";
import { isCalled, keyOf, windowsOf } from "../windows.ts";

/** A daemon that has a terminal, and the pids of what runs below it. */
type Daemons = ReadonlyMap<string, ReadonlySet<number>>;

/** The daemons of hyoui as they are seen among the processes: one for each session. */
export class HyouiDaemons {
  #daemons: Daemons = new Map();
  #windows = "";
  /** Those whose sessions are not listed: they have another state folder than we. */
  #strangers: ReadonlySet<string> = new Set();

  /** Takes the processes in. Answers whether other terminals are there than the last time. */
  see(snapshot: ProcessSnapshot): boolean {
    const daemons = new Map<string, ReadonlySet<number>>();
    const windows: string[] = [];
    for (const process of snapshot.all()) {
      if (!isCalled(process, "hyoui")) continue;
      const own = windowsOf(process, snapshot);
      if (own.length === 0) continue;
      windows.push(...own.map(keyOf));
      daemons.set(keyOf(process), new Set(snapshot.descendants(process.pid).map(({ pid }) => pid)));
    }
    const before = this.#windows;
    this.#daemons = daemons;
    this.#windows = windows.sort().join(" ");
    return this.#windows !== before;
  }

  /** The daemons as they are now, for `listed`. */
  get seen(): Daemons {
    return this.#daemons;
  }

  /** Takes a list in, by the pids of the children in it, that was asked for when `seen` were there: of those that it
   * does not show it never will. */
  listed(seen: Daemons, children: ReadonlySet<number>): void {
    const isListed = (below: ReadonlySet<number>) => [...below].some((pid) => children.has(pid));
    const strangers = [...seen].flatMap(([key, below]) => (isListed(below) ? [] : key));
    this.#strangers = new Set(strangers);
  }

  /** Whether a process is a daemon whose session is listed, or may be with the next list. */
  has(process: ProcessInfo): boolean {
    return isCalled(process, "hyoui") && !this.#strangers.has(keyOf(process));
  }
}
