import { BOOKMARK_MS } from "../contract/envelope.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessSnapshot } from "../processes/types.ts";
import type { Cancel } from "../time/clock.ts";
import { shareRuns } from "../time/share-runs.ts";
import { ProcessFacts } from "./facts.ts";
import { SourceHealth } from "./health.ts";
import type { ObservationEvents, ObservationOptions, Observed } from "./observed.ts";
import { watchPseudoterminals } from "./pseudoterminals.ts";
import { Rows } from "./rows.ts";
import type { Fault, Reading, Source } from "./source.ts";
import { Vigil } from "./vigil.ts";
import type { Unwatch } from "./watch.ts";

/** How often what announces nothing is looked at, in milliseconds. */
const TICK_MS = 1_000;

/** How old a sweep may be that was begun ahead of a reading, in milliseconds: what a listing takes at the most
 * on a busy machine. What was opened since is read apart. */
const AHEAD_MS = 50;

/** One run of the observation, from the first want to the last. */
export class ObservationRun {
  readonly #options: ObservationOptions;
  readonly #events: ObservationEvents;
  readonly #health = new SourceHealth();
  readonly #facts: ProcessFacts;
  readonly #rows: Rows;
  readonly #vigil: Vigil;
  readonly #unwatch: Unwatch;
  /** How every source falls short: no watch for terminals, processes that only `ps` lists, or none at all. */
  #watchFault: Fault | undefined;
  #processFault: Fault | undefined;
  #last: readonly TerminalInfo[] = [];
  /** A sweep that was begun when a terminal opened or closed, ahead of the reading that follows. */
  #sweep: { begunAt: number; snapshot: Promise<ProcessSnapshot> } | undefined;
  /** States the terminals with their processes read anew. */
  readonly #buildShared = shareRuns(() => this.#buildNow());
  #lastBuild: Promise<void> = Promise.resolve();
  #buildsBegun = 0;
  #tick: Cancel;
  #bookmark: Cancel;
  #lookAgain: { at: number; cancel: Cancel } | undefined;
  #stopped = false;

  constructor(options: ObservationOptions, events: ObservationEvents) {
    const { clock, table, instance, sources } = options;
    this.#options = options;
    this.#events = events;
    this.#facts = new ProcessFacts(table, clock);
    this.#rows = new Rows(instance, { clock, table, facts: this.#facts });
    this.#vigil = new Vigil(table, this.#facts);
    this.#unwatch = watchPseudoterminals(clock, {
      changed: (tty) => this.#terminalsChanged(tty),
      lost: (error) => this.#pollInstead(error),
    });
    for (const source of sources) {
      this.#take(source, { at: clock.now(), finding: { kind: "starting" } });
      source.start((reading) => this.#take(source, reading));
    }
    this.#tick = clock.schedule(TICK_MS, () => this.#onTick());
    this.#bookmark = clock.schedule(BOOKMARK_MS, () => void this.#onBookmark());
  }

  /** Reads every source; resolves once each has answered. */
  async read(): Promise<void> {
    this.#sweepAhead();
    await Promise.all(this.#options.sources.map((source) => source.read()));
  }

  /** Resolves once what is known comes from readings that began after the call, or the time is over. */
  async fresh(ms: number): Promise<void> {
    const begun = this.#buildsBegun;
    await this.#within(ms, this.read());
    // A reading that says something new has begun a build of its own.
    await (this.#buildsBegun === begun ? this.#build() : this.#lastBuild);
  }

  /** Resolves when the work is done or the time is over. */
  #within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.schedule(ms, resolve);
      void work.finally(() => {
        cancel();
        resolve();
      });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#tick();
    this.#bookmark();
    this.#lookAgain?.cancel();
    for (const source of this.#options.sources) source.stop();
    this.#vigil.stop();
  }

  #take(source: Source, reading: Reading): void {
    if (this.#stopped) return;
    const { ms, finding } = reading;
    const isNews = this.#health.take(source.scheme, reading);
    if (finding.kind === "starting") return;
    if (ms !== undefined || finding.kind === "failing") {
      this.#options.onReading?.({ scheme: source.scheme, outcome: finding.kind, ms });
    }
    if (!isNews) return;
    // What the manager says is stated at once; what its processes are follows when they have been read.
    if (this.#rows.isReady) {
      this.#stateIfReadable(() => this.#rows.restate(this.#health.terminals(), this.#agents()));
    }
    void this.#build();
  }

  #terminalsChanged(tty: string): void {
    if (this.#stopped) return;
    this.#sweepAhead();
    for (const source of this.#options.sources) source.wake(tty);
  }

  #pollInstead(error: Error): void {
    if (this.#stopped) return;
    this.#watchFault = {
      code: "polling",
      msg: `terminals are read every second, for want of a watch: ${error.message}`,
    };
  }

  #onTick(): void {
    const { clock, sources } = this.#options;
    this.#tick = clock.schedule(TICK_MS, () => this.#onTick());
    for (const source of sources) source.tick();
    if (this.#watchFault !== undefined) void this.read();
    if (this.#somethingDiffers()) void this.#build();
  }

  #somethingDiffers(): boolean {
    if (this.#options.table.kind === "ps") return true;
    try {
      return this.#vigil.look();
    } catch {
      // Not even the look succeeded: the build that follows says why.
      return true;
    }
  }

  async #onBookmark(): Promise<void> {
    await this.read();
    await this.#build();
    if (this.#stopped) return;
    this.#events.bookmark(this.#standing());
    this.#bookmark = this.#options.clock.schedule(BOOKMARK_MS, () => void this.#onBookmark());
  }

  #build(): Promise<void> {
    this.#buildsBegun += 1;
    this.#lastBuild = this.#buildShared();
    return this.#lastBuild;
  }

  async #buildNow(): Promise<void> {
    if (this.#stopped) return;
    const snapshot = await this.#processes().catch((error: Error) => error);
    if (this.#stopped) return;
    this.#stateIfReadable(() => {
      if (snapshot instanceof Error) throw snapshot;
      return this.#rows.read(this.#health.terminals(), snapshot, this.#agents());
    });
    this.#keepVigil();
  }

  #keepVigil(): void {
    const parts = [...this.#rows.parts()];
    try {
      this.#vigil.keep(
        parts.flatMap(({ process }) => process ?? []),
        parts.flatMap(({ root }) => root ?? []),
      );
    } catch {
      // What cannot be watched is looked at with the next bookmark; that it cannot is told by the next build.
    }
  }

  #sweepAhead(): void {
    const { clock, table } = this.#options;
    const snapshot = table.sweep();
    // Whoever does not wait for it does not hear that it failed.
    snapshot.catch(() => {});
    this.#sweep = { begunAt: clock.monotonic(), snapshot };
  }

  /** The sweep that was begun ahead, if it is no older than a reading takes; else a new one. */
  #processes(): Promise<ProcessSnapshot> {
    const { clock, table } = this.#options;
    const ahead = this.#sweep;
    this.#sweep = undefined;
    const isRecent = ahead !== undefined && clock.monotonic() - ahead.begunAt < AHEAD_MS;
    return isRecent ? ahead.snapshot : table.sweep();
  }

  /** States what `make` reads of processes; where they cannot be read, the rows stated last, and that. */
  #stateIfReadable(make: () => readonly TerminalInfo[]): void {
    try {
      this.#last = make();
      this.#processFault = undefined;
    } catch (error) {
      const msg = error instanceof Error ? error.message : String(error);
      this.#processFault = { code: "processes_unreadable", msg };
    }
    this.#state(this.#last);
  }

  #state(terminals: Observed["terminals"]): void {
    this.#events.observed(this.#observed(terminals));
    this.#health.settle();
    const wait = this.#rows.unsettledFor();
    if (wait !== undefined) this.#buildAfter(wait);
  }

  #buildAfter(ms: number): void {
    const { clock } = this.#options;
    const at = clock.monotonic() + ms;
    if (this.#lookAgain !== undefined && this.#lookAgain.at <= at) return;
    this.#lookAgain?.cancel();
    const cancel = clock.schedule(ms, () => {
      this.#lookAgain = undefined;
      void this.#build();
    });
    this.#lookAgain = { at, cancel };
  }

  #observed(terminals: Observed["terminals"]): Observed {
    return {
      ...this.#standing(),
      terminals,
      at: this.#options.clock.now(),
      reasonOf: (id) => (this.#health.wentWithItsManager(id) ? "source_gone" : "closed"),
    };
  }

  #standing(): Pick<Observed, "polledAt" | "sources"> {
    const { polledAt } = this.#health;
    const sources = this.#health.sources(
      this.#processFault ?? this.#watchFault ?? this.#tableLimit(),
    );
    return { ...(polledAt === undefined ? {} : { polledAt }), sources };
  }

  #tableLimit(): Fault | undefined {
    const { limited } = this.#options.table;
    return (
      limited && { code: limited, msg: "processes are listed by ps, without their directories" }
    );
  }

  #agents() {
    return this.#options.agents?.() ?? [];
  }
}
