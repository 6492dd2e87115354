import type { Samples } from "./each.ts";
import { forEach } from "./each.ts";
import { inTurn } from "./rounds.ts";
import { SYSTEM_NAMES, type SystemName, type Systems } from "./systems.ts";
import { Watcher } from "./watcher.ts";

/** A terminal with a `cat` in each system, and somebody at it who types. */
export class Cats {
  readonly #watchers: ReadonlyMap<SystemName, Watcher>;

  private constructor(watchers: ReadonlyMap<SystemName, Watcher>) {
    this.#watchers = watchers;
  }

  static async open(systems: Systems): Promise<Cats> {
    const watchers = new Map<SystemName, Watcher>();
    for (const name of SYSTEM_NAMES) {
      const look = await systems[name]?.open(["cat"]);
      if (look === undefined) continue;
      const watcher = await Watcher.start();
      watchers.set(name, watcher);
      await watcher.look(look);
      // The first keys meet code that has never run.
      await watcher.echo(20);
    }
    return new Cats(watchers);
  }

  /** So many keys in each, in turns. `around` is told whose turn begins, and answers what ends it. */
  echo(
    keys: number,
    around: (name: SystemName) => Promise<() => Promise<void>> = async () => async () => {},
  ): Promise<Samples> {
    const turn = (name: SystemName) => async () => {
      const watcher = this.#watchers.get(name);
      if (watcher === undefined) return [];
      const end = await around(name);
      const times = await watcher.echo(keys);
      await end();
      return times;
    };
    return inTurn(forEach(turn));
  }

  async end(): Promise<void> {
    for (const watcher of this.#watchers.values()) await watcher.end();
  }
}
