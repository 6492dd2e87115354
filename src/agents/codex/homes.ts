import { join } from "node:path";
import { boundedPath } from "../../sources/text.ts";
import { type Unwatch, watchFolder } from "../../sources/watch.ts";

/** How many homes are watched. Threads of those beyond are seen a second later. */
const MAX_HOMES = 16;

/** A path of more folders than this is no home of anybody, and takes long to be looked for. */
const MAX_DEPTH = 32;

/** Watches where Codex keeps a lock for each thread that is being written to: it comes with the thread. */
export class HomeWatch {
  readonly #changed: () => void;
  readonly #watches = new Map<string, Unwatch>();

  /** `changed` is called when a thread may have been opened or closed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Watches these homes, and no others any more. */
  watch(homes: ReadonlySet<string>): void {
    for (const [home, unwatch] of this.#watches) {
      if (homes.has(home)) continue;
      unwatch();
      this.#watches.delete(home);
    }
    for (const home of homes) {
      if (this.#watches.size >= MAX_HOMES) return;
      if (this.#watches.has(home) || !isPlausible(home)) continue;
      const unwatch = watchFolder(join(home, "thread-writer-locks"), {
        changed: (name) => {
          if (name === undefined || isThreadLock(name)) this.#changed();
        },
        // What opens is then seen with the next look, within a second.
        lost: () => {},
      });
      this.#watches.set(home, unwatch);
    }
  }

  stop(): void {
    this.watch(new Set());
  }
}

const isPlausible = (home: string) =>
  boundedPath(home) !== undefined && home.split("/").length <= MAX_DEPTH;

const isThreadLock = (name: string) => name.endsWith(".lock") && !name.startsWith(".");
