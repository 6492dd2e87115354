import { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { Fault } from "../sources/source.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import { shareRuns } from "../time/share-runs.ts";
import { placesOf } from "./places.ts";
import { type MadeRows, type Making, Rows, type Stated } from "./rows.ts";
import { Vigil } from "./vigil.ts";

/** How old a sweep may be that was begun ahead of a reading, in milliseconds: what a listing takes at the most
 * on a busy machine. What was opened since is read apart. */
const AHEAD_MS = 50;

/** How often the processes are read where only `ps` lists them, in milliseconds: it takes a process each time. */
const PS_EVERY_MS = 2_000;

export interface BuildOptions {
  readonly clock: Clock;
  readonly instance: string;
  readonly table: ProcessTable;
  /** What the sources say now. */
  stated(): Stated;
  /** Shows the sources the processes, before rows are made of what they say. */
  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void;
  /** Takes the rows that were made. */
  made(rows: MadeRows): void;
}

/** Makes rows of what sources say and processes are: at once where a source says something new, and again when
 * processes have been read, differ, or may not be what they are about to be. */
export class Build {
  readonly #options: BuildOptions;
  readonly #facts: ProcessFacts;
  readonly #rows: Rows;
  readonly #vigil: Vigil;
  readonly #shared = shareRuns(() => this.#readNow());
  #fault: Fault | undefined;
  #last: MadeRows = { terminals: [], agents: [] };
  #ahead: { begunAt: number; snapshot: Promise<ProcessSnapshot> } | undefined;
  /** When processes were read last, in the monotonic clock. */
  #readAt = Number.NEGATIVE_INFINITY;
  #isSeeing = false;
  #latest: Promise<void> = Promise.resolve();
  #again: { at: number; cancel: Cancel } | undefined;
  #stopped = false;

  constructor(options: BuildOptions) {
    const { clock, instance, table } = options;
    const facts = new ProcessFacts(table, clock);
    this.#options = options;
    this.#facts = facts;
    this.#vigil = new Vigil(table, facts, clock);
    const cwdOf = (process: ProcessInfo) => this.#vigil.cwdOf(process);
    this.#rows = new Rows(instance, { clock, table, facts, cwdOf });
  }

  /** Why processes could not be read. The rows that were made last stand meanwhile. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Resolves when the build that was asked for last has been made. */
  get latest(): Promise<void> {
    return this.#latest;
  }

  /** Whether sources are shown the processes just now: what they say is in the rows that are made next. */
  get isSeeing(): boolean {
    return this.#isSeeing;
  }

  /** The rows of agents that were made last. */
  get agents(): MadeRows["agents"] {
    return this.#last.agents;
  }

  /** How the rows came to be that were made last. */
  get making(): Making | undefined {
    return this.#rows.making;
  }

  /** What processes run, as far as it was read. */
  get facts(): ProcessFacts {
    return this.#facts;
  }

  /** Makes the rows with the processes as they were read last, those of new terminals apart; resolves when they
   * have been made again with the processes as they are. */
  restate(): Promise<void> {
    if (this.making !== undefined) this.#make(() => this.#rows.restate(this.#options.stated()));
    return this.read();
  }

  /** Makes the rows with the processes read after the call. */
  read(): Promise<void> {
    this.#latest = this.#shared();
    return this.#latest;
  }

  /** The processes in each terminal, by its id, read after the call. */
  async occupants(): Promise<ReadonlyMap<string, readonly ProcessInfo[]>> {
    const merged = this.making?.merged ?? { terminals: [], folded: [] };
    const places = placesOf(merged, await this.#options.table.sweep());
    return new Map(merged.terminals.map(({ id }) => [id, places.in(id)]));
  }

  /** Begins to read the processes, ahead of a reading of the sources that makes it necessary. */
  readAhead(): void {
    const { clock, table } = this.#options;
    if (this.#recent() !== undefined) return;
    const snapshot = table.sweep();
    // Whoever does not wait for it does not hear that it failed.
    snapshot.catch(() => {});
    this.#ahead = { begunAt: clock.monotonic(), snapshot };
  }

  /** Once a second: makes the rows again where a process differs that they are about. */
  tick(): void {
    if (this.#somethingDiffers()) void this.read();
  }

  stop(): void {
    this.#stopped = true;
    this.#again?.cancel();
    this.#vigil.stop();
  }

  #somethingDiffers(): boolean {
    const { clock, table } = this.#options;
    // Where nothing can be watched, differences show in what was read anew.
    if (table.kind === "ps") return clock.monotonic() - this.#readAt >= PS_EVERY_MS;
    try {
      return this.#vigil.look();
    } catch {
      // Not even the look succeeded: the build that follows says why.
      return true;
    }
  }

  async #readNow(): Promise<void> {
    if (this.#stopped) return;
    const { clock, table, stated } = this.#options;
    this.#readAt = clock.monotonic();
    const sweep = this.#recent() ?? table.sweep();
    this.#ahead = undefined;
    const snapshot = await this.#withFacts(sweep).catch((error: Error) => error);
    if (this.#stopped) return;
    this.#make(() => {
      if (snapshot instanceof Error) throw snapshot;
      this.#show(snapshot);
      return this.#rows.read(stated(), snapshot);
    });
    // Who has waited for the rows goes first.
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.#stopped) this.#keepVigil();
  }

  async #withFacts(sweep: Promise<ProcessSnapshot>): Promise<ProcessSnapshot> {
    const snapshot = await sweep;
    await this.#facts.refresh(snapshot);
    return snapshot;
  }

  #show(snapshot: ProcessSnapshot): void {
    this.#isSeeing = true;
    try {
      this.#options.see(snapshot, this.#facts);
    } finally {
      this.#isSeeing = false;
    }
  }

  /** The sweep that was begun ahead, unless that is too long ago. */
  #recent(): Promise<ProcessSnapshot> | undefined {
    if (this.#ahead === undefined) return undefined;
    const age = this.#options.clock.monotonic() - this.#ahead.begunAt;
    return age < AHEAD_MS ? this.#ahead.snapshot : undefined;
  }

  #make(make: () => MadeRows): void {
    try {
      this.#last = make();
      this.#fault = undefined;
    } catch (error) {
      const msg = error instanceof Error ? error.message : String(error);
      this.#fault = { code: "processes_unreadable", msg };
    }
    this.#options.made(this.#last);
    const wait = this.#rows.unsettledFor();
    if (wait !== undefined) this.#readAfter(wait);
  }

  #keepVigil(): void {
    const parts = [...(this.making?.parts.values() ?? [])];
    try {
      this.#vigil.keep(
        parts.flatMap(({ process }) => process ?? []),
        parts.flatMap(({ root }) => root ?? []),
      );
    } catch {
      // What cannot be watched is looked at with the next bookmark; that it cannot is told by the next build.
    }
  }

  #readAfter(ms: number): void {
    const { clock } = this.#options;
    const at = clock.monotonic() + ms;
    if (this.#again !== undefined && this.#again.at <= at) return;
    this.#again?.cancel();
    const cancel = clock.schedule(ms, () => {
      this.#again = undefined;
      void this.read();
    });
    this.#again = { at, cancel };
  }
}
