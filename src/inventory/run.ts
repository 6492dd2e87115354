import { existsSync } from "node:fs";
import type { ObservedRun } from "../agents/run.ts";
import { BOOKMARK_MS } from "../contract/envelope.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import { SourceHealth } from "../sources/health.ts";
import type { Fault, Reading, Source } from "../sources/source.ts";
import type { Unwatch } from "../sources/watch.ts";
import type { Cancel } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { Build } from "./build.ts";
import { type Explanation, explain } from "./explain.ts";
import type {
  Known,
  ObservationEvents,
  ObservationOptions,
  Standing,
  Standings,
} from "./observed.ts";
import { watchPseudoterminals } from "./pseudoterminals.ts";
import type { MadeRows, Stated } from "./rows.ts";
import type { ObservedTerminal } from "./terminal.ts";

/** How often what announces nothing is looked at, in milliseconds. */
const TICK_MS = 1_000;

/** When it is looked whether a terminal that was opened has been stated, in milliseconds after that: a process comes
 * to it some time after its device, and no source tells of one that nobody manages. */
const OPENED_LOOKS_MS = [20, 100] as const;

/** How long a bookmark waits for the sources, in milliseconds. Each gives up its places sooner; this is for one that
 * does not. */
const ANSWERS_MS = 5_000;

/** One run of the observation, from the first want to the last. */
export class ObservationRun {
  readonly #options: ObservationOptions;
  readonly #events: ObservationEvents;
  readonly #terminals = new SourceHealth<ObservedTerminal>(({ id }) => id);
  readonly #runs = new SourceHealth<ObservedRun>(({ pid }) => pid);
  readonly #build: Build;
  readonly #unwatch: Unwatch;
  readonly #looks = new Set<Cancel>();
  /** What shows each source the processes. */
  readonly #shows: ((snapshot: ProcessSnapshot, facts: ProcessFacts) => void)[] = [];
  /** Why there is no watch for terminals. */
  #watchFault: Fault | undefined;
  /** When a terminal was opened or closed that no reading has been stated of since, in the monotonic clock. */
  #signAt: number | undefined;
  #tick: Cancel;
  #bookmark: Cancel;
  #stopped = false;

  constructor(options: ObservationOptions, events: ObservationEvents) {
    const { clock, table, instance, sources, agentSources } = options;
    this.#options = options;
    this.#events = events;
    this.#build = new Build({
      clock,
      instance,
      table,
      stated: () => this.#stated(),
      see: (snapshot, facts) => {
        for (const show of this.#shows) show(snapshot, facts);
      },
      made: (rows) => this.#publish(rows),
    });
    this.#unwatch = watchPseudoterminals(clock, {
      changed: (tty) => this.#terminalsChanged(tty),
      lost: (error) => this.#pollInstead(error),
    });
    // A terminal that a source states anew has a row at once; a run takes a look at its process.
    this.#begin(sources, this.#terminals, () => {
      void this.#build.restate();
      this.#signAt = undefined;
    });
    this.#begin(agentSources, this.#runs, () => void this.#build.read());
    this.#tick = clock.schedule(TICK_MS, () => this.#onTick());
    this.#bookmark = clock.schedule(BOOKMARK_MS, () => void this.#onBookmark());
  }

  /** Resolves once what is known comes from readings that began after the call, or the time is over. */
  async fresh(ms: number): Promise<void> {
    const sources = this.#sources();
    // Where some sources look, such as the folders that agents use, shows among the processes.
    const [seeing, others] = [sources.filter(sees), sources.filter((source) => !sees(source))];
    const processes = this.#build.read();
    const reading = Promise.all([processes.then(() => readAll(seeing)), readAll(others)]);
    await within(this.#options.clock, ms, reading);
    // A reading that says something new has begun a build of its own.
    await this.#build.latest;
  }

  /** The processes in each terminal, by its id, read after the call. */
  occupants(): Promise<ReadonlyMap<string, readonly ProcessInfo[]>> {
    return this.#build.occupants();
  }

  /** How the rows came to be that were stated last. */
  explain(): Explanation {
    return explain(this.#build, {
      terminals: this.#terminals,
      runs: this.#runs,
      standings: this.#standings(),
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#tick();
    this.#bookmark();
    for (const cancel of this.#looks) cancel();
    for (const source of this.#sources()) source.stop();
    this.#build.stop();
  }

  #sources(): readonly Source<unknown>[] {
    return [...this.#options.sources, ...this.#options.agentSources];
  }

  /** Reads every source; resolves once each has answered. */
  async #read(): Promise<void> {
    this.#build.readAhead();
    await readAll(this.#sources());
  }

  #begin<Item extends object>(
    sources: readonly Source<Item>[],
    health: SourceHealth<Item>,
    tellNews: () => void,
  ): void {
    const take = (scheme: string, reading: Reading<Item>) => {
      if (this.#stopped) return;
      const { ms, finding } = reading;
      const isNews = health.take(scheme, reading);
      if (finding.kind === "starting") return;
      if (ms !== undefined || finding.kind === "failing") {
        this.#options.onReading?.({ scheme, outcome: finding.kind, ms });
      }
      if (isNews && !this.#build.isSeeing) tellNews();
    };
    for (const source of sources) {
      take(source.scheme, { at: this.#options.clock.now(), finding: { kind: "starting" } });
      source.start((reading) => take(source.scheme, reading));
      this.#shows.push((snapshot, facts) => {
        try {
          source.see?.(snapshot, facts);
        } catch (error) {
          // What one source cannot make of the processes is no reason for the others to be silent.
          const msg = error instanceof Error ? error.message : String(error);
          const fault = { code: "processes_unreadable", msg };
          take(source.scheme, { at: snapshot.takenAt, finding: { kind: "failing", fault } });
        }
      });
    }
  }

  #terminalsChanged(tty: string): void {
    if (this.#stopped) return;
    this.#signAt ??= this.#options.clock.monotonic();
    this.#build.readAhead();
    for (const source of this.#sources()) source.wake?.(tty);
    this.#lookAt(tty);
    for (const ms of OPENED_LOOKS_MS) {
      const cancel = this.#options.clock.schedule(ms, () => {
        this.#looks.delete(cancel);
        this.#lookAt(tty);
      });
      this.#looks.add(cancel);
    }
  }

  /** Looks at the processes where the device of a terminal is there that nobody states, or is gone of one that somebody
   * does: of many managers their processes are all that tells. */
  #lookAt(tty: string): void {
    const stated = this.#terminals.items().find((terminal) => terminal.tty === tty);
    const isThere = existsSync(tty);
    if (isThere === (stated === undefined)) void this.#build.read();
  }

  #pollInstead(error: Error): void {
    if (this.#stopped) return;
    this.#watchFault = {
      code: "polling",
      msg: `terminals are read every second, for want of a watch: ${error.message}`,
    };
  }

  #onTick(): void {
    const { clock } = this.#options;
    this.#tick = clock.schedule(TICK_MS, () => this.#onTick());
    for (const source of this.#sources()) source.tick();
    if (this.#watchFault !== undefined) void this.#read().then(() => this.#build.read());
    this.#build.tick();
  }

  async #onBookmark(): Promise<void> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    await within(clock, ANSWERS_MS, this.#read());
    await this.#build.read();
    if (this.#stopped) return;
    this.#events.bookmark(this.#standings());
    // From beginning to beginning, or what readings take would add up and bookmarks come ever later.
    const rest = Math.max(0, BOOKMARK_MS - (clock.monotonic() - began));
    this.#bookmark = clock.schedule(rest, () => void this.#onBookmark());
  }

  #stated(): Stated {
    const { sources, agentSources } = this.#options;
    return {
      terminals: this.#terminals.items(sources.map(({ scheme }) => scheme)),
      runs: this.#runs.items(agentSources.map(({ scheme }) => scheme)),
      isManager: (process: ProcessInfo, snapshot: ProcessSnapshot) =>
        sources.some((source) => source.manages?.(process, snapshot) === true),
    };
  }

  #publish({ terminals, agents }: MadeRows): void {
    const standings = this.#standings();
    this.#events.observed({
      terminals: known(terminals, standings.terminals, ({ id }) =>
        this.#terminals.wentWithItsPlace(id),
      ),
      agents: known(agents, standings.agents, ({ pid }) => this.#runs.wentWithItsPlace(pid)),
      at: this.#options.clock.now(),
      ...(this.#signAt === undefined ? {} : { signAt: this.#signAt }),
    });
    this.#terminals.settle();
    this.#runs.settle();
  }

  #standings(): Standings {
    const limit = this.#build.fault ?? this.#watchFault ?? this.#tableLimit();
    return {
      terminals: standing(this.#terminals, limit),
      agents: standing(this.#runs, this.#build.fault),
    };
  }

  #tableLimit(): Fault | undefined {
    const { limited } = this.#options.table;
    return (
      limited && { code: limited, msg: "processes are listed by ps, without their directories" }
    );
  }
}

const sees = (source: Source<unknown>) => source.see !== undefined;

/** Resolves once each has answered. */
const readAll = (sources: readonly Source<unknown>[]) =>
  Promise.all(sources.map((source) => source.read()));

function standing<Item extends object>(
  health: SourceHealth<Item>,
  limit: Fault | undefined,
): Standing {
  const { polledAt } = health;
  return { ...(polledAt === undefined ? {} : { polledAt }), sources: health.sources(limit) };
}

function known<Row>(
  rows: readonly Row[],
  standing: Standing,
  wentWithItsPlace: (row: Row) => boolean,
): Known<Row> {
  return {
    ...standing,
    rows,
    reasonOf: (row) => (wentWithItsPlace(row) ? "source_gone" : "closed"),
  };
}
