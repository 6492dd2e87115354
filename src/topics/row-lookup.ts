import type { Cancel, Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import type { Resource } from "./hub.ts";

/** How long the rows are kept after somebody asked for one, in milliseconds: who acts on a terminal mostly acts again, and
 * each reading of all sources costs some tens of milliseconds. */
export const LOOKUP_MS = 10_000;

interface Identified {
  readonly id: string;
}

/** Finds rows for those who name one, whether or not anybody is subscribed. */
export class RowLookup<Row extends Identified> {
  readonly #clock: Clock;
  readonly #resource: Resource;
  #rows: readonly Row[] = [];
  /** The same by id, made when it is asked for. */
  #byId: Map<string, Row> | undefined;
  #letGo: Cancel | undefined;
  /** Who waits for which row. */
  readonly #waiting = new Set<() => void>();

  /** `resource` makes the rows while it is wanted. */
  constructor(clock: Clock, resource: Resource) {
    this.#clock = clock;
    this.#resource = resource;
  }

  /** These are all rows now. */
  state(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#byId = undefined;
    for (const look of [...this.#waiting]) look();
  }

  /** The row of that id as it was stated last. One that is not known is looked for anew: it may have begun a moment ago.
   * `patienceMs`: how long one is waited for, in milliseconds, that is known to have begun. */
  async find(id: string, patienceMs = 0): Promise<Row | undefined> {
    this.#want();
    const known = this.#row(id);
    if (known !== undefined) return known;
    return this.#appears(id, patienceMs);
  }

  /** The row once it is stated: of one source that may be long before the last of all has answered. */
  async #appears(id: string, patienceMs: number): Promise<Row | undefined> {
    let look = () => {};
    const stated = new Promise<void>((resolve) => {
      look = () => {
        if (this.#row(id) !== undefined) resolve();
      };
      this.#waiting.add(look);
    });
    try {
      await Promise.race([stated, this.#resource.fresh()]);
      if (patienceMs > 0) await within(this.#clock, patienceMs, stated);
      return this.#row(id);
    } finally {
      this.#waiting.delete(look);
    }
  }

  #row(id: string): Row | undefined {
    this.#byId ??= new Map(this.#rows.map((row) => [row.id, row]));
    return this.#byId.get(id);
  }

  #want(): void {
    if (this.#letGo === undefined) this.#resource.acquire();
    this.#letGo?.();
    this.#letGo = this.#clock.schedule(LOOKUP_MS, () => {
      this.#letGo = undefined;
      this.#resource.release();
    });
  }
}
