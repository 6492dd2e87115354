import { BOOKMARK_MS } from "../contract/envelope.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { SourceHealth } from "../sources/health.ts";
import type { Fault, Reading, Source } from "../sources/source.ts";
import type { Unwatch } from "../sources/watch.ts";
import type { Cancel } from "../time/clock.ts";
import { Build } from "./build.ts";
import type { ObservationEvents, ObservationOptions, Observed } from "./observed.ts";
import { watchPseudoterminals } from "./pseudoterminals.ts";

/** How often what announces nothing is looked at, in milliseconds. */
const TICK_MS = 1_000;

/** One run of the observation, from the first want to the last. */
export class ObservationRun {
  readonly #options: ObservationOptions;
  readonly #events: ObservationEvents;
  readonly #health = new SourceHealth();
  readonly #build: Build;
  readonly #unwatch: Unwatch;
  /** Why there is no watch for terminals. */
  #watchFault: Fault | undefined;
  /** When a terminal was opened or closed that no reading has been stated of since, in the monotonic clock. */
  #signAt: number | undefined;
  #tick: Cancel;
  #bookmark: Cancel;
  #stopped = false;

  constructor(options: ObservationOptions, events: ObservationEvents) {
    const { clock, table, instance, sources } = options;
    this.#options = options;
    this.#events = events;
    this.#build = new Build({
      clock,
      instance,
      table,
      terminals: () => this.#health.terminals(),
      agents: () => options.agents?.() ?? [],
      made: (rows) => this.#state(rows),
    });
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

  /** Resolves once what is known comes from readings that began after the call, or the time is over. */
  async fresh(ms: number): Promise<void> {
    const { begun } = this.#build;
    await this.#within(ms, this.#read());
    // A reading that says something new has begun a build of its own.
    await (this.#build.begun === begun ? this.#build.read() : this.#build.latest);
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#tick();
    this.#bookmark();
    for (const source of this.#options.sources) source.stop();
    this.#build.stop();
  }

  /** Reads every source; resolves once each has answered. */
  async #read(): Promise<void> {
    this.#build.readAhead();
    await Promise.all(this.#options.sources.map((source) => source.read()));
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

  #take(source: Source, reading: Reading): void {
    if (this.#stopped) return;
    const { ms, finding } = reading;
    const isNews = this.#health.take(source.scheme, reading);
    if (finding.kind === "starting") return;
    if (ms !== undefined || finding.kind === "failing") {
      this.#options.onReading?.({ scheme: source.scheme, outcome: finding.kind, ms });
    }
    if (isNews) void this.#build.restate();
    this.#signAt = undefined;
  }

  #terminalsChanged(tty: string): void {
    if (this.#stopped) return;
    this.#signAt ??= this.#options.clock.monotonic();
    this.#build.readAhead();
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
    if (this.#watchFault !== undefined) void this.#read();
    this.#build.tick();
  }

  async #onBookmark(): Promise<void> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    await this.#read();
    await this.#build.read();
    if (this.#stopped) return;
    this.#events.bookmark(this.#standing());
    // From beginning to beginning, or what readings take would add up and bookmarks come ever later.
    const rest = Math.max(0, BOOKMARK_MS - (clock.monotonic() - began));
    this.#bookmark = clock.schedule(rest, () => void this.#onBookmark());
  }

  #state(terminals: readonly TerminalInfo[]): void {
    this.#events.observed({
      ...this.#standing(),
      terminals,
      at: this.#options.clock.now(),
      ...(this.#signAt === undefined ? {} : { signAt: this.#signAt }),
      reasonOf: (id) => (this.#health.wentWithItsManager(id) ? "source_gone" : "closed"),
    });
    this.#health.settle();
  }

  #standing(): Pick<Observed, "polledAt" | "sources"> {
    const { polledAt } = this.#health;
    const limit = this.#build.fault ?? this.#watchFault ?? this.#tableLimit();
    const sources = this.#health.sources(limit);
    return { ...(polledAt === undefined ? {} : { polledAt }), sources };
  }

  #tableLimit(): Fault | undefined {
    const { limited } = this.#options.table;
    return (
      limited && { code: limited, msg: "processes are listed by ps, without their directories" }
    );
  }
}
