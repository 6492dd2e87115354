import type { ProcessSnapshot, ProcessTable } from "../../processes/types.ts";

/** Tells which numbers may be processes that live, without a look at each: a folder may be full of files whose
 * processes ended long ago, and none of those needs to be read. */
export class LivePids {
  readonly #table: ProcessTable;
  #known = new Set<number>();

  constructor(table: ProcessTable) {
    this.#table = table;
  }

  see(snapshot: ProcessSnapshot): void {
    this.#known = new Set([...snapshot.all()].map(({ pid }) => pid));
  }

  /** Those of the numbers that belong to processes, and perhaps some whose processes have ended since the last
   * sweep. Throws where the system has nothing left to read with. */
  among(pids: readonly number[]): number[] {
    if (!pids.every((pid) => this.#known.has(pid))) {
      for (const { pid } of this.#table.newcomers(this.#known)) this.#known.add(pid);
    }
    return pids.filter((pid) => this.#known.has(pid));
  }
}
