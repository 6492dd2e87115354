import { cpus } from "node:os";
import { BOOKMARK_MS } from "../contract/envelope.ts";
import { type TerminalUsage, USAGE_SAMPLE_MS } from "../contract/usage.ts";
import type { ProcessInfo } from "../processes/types.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import type { Measure } from "./usage/figures.ts";
import { UsageLedger, type UsageSample } from "./usage/ledger.ts";
import { usageRow } from "./usage/row.ts";

/** What one sample found. */
export interface UsageFound {
  /** Of every terminal that processes are in and that has two samples. The same objects as before where nothing moved by
   * a step. */
  readonly rows: readonly TerminalUsage[];
  /** When the sample began, in epoch milliseconds. */
  readonly polledAt: number;
}

/** How one sample went, for whoever counts. */
export interface UsageReport {
  readonly outcome: "rows" | "failing";
  readonly ms: number;
}

export interface UsageSamplerOptions {
  readonly clock: Clock;
  readonly instance: string;
  /** The live processes in each terminal, by its id. Rejects where processes cannot be read. */
  readonly occupants: () => Promise<ReadonlyMap<string, readonly ProcessInfo[]>>;
  readonly measure: Measure;
  /** How many processors there are. Default: as many as the machine has. */
  readonly cores?: number;
  readonly onSample?: (report: UsageReport) => void;
}

export interface UsageEvents {
  sampled(found: UsageFound): void;
  /** Time for a bookmark: samples go on. `polledAt`: when the last good one began. Absent before the first. */
  bookmark(polledAt: number | undefined): void;
}

/** Samples what the terminals use, from its construction until it is stopped. A sample begins USAGE_SAMPLE_MS after the
 * beginning of the one before it; one that takes long delays the next, so that samples never overlap and never take
 * more than half of the time. One that fails states nothing: what was stated stands. */
export class UsageSampler {
  /** Resolves once the first sample has ended, well or not, or there will be none. */
  readonly begun: Promise<void>;
  #begin: () => void = () => {};
  readonly #options: UsageSamplerOptions;
  readonly #events: UsageEvents;
  readonly #ledger: UsageLedger;
  /** What is stated, by the terminal's id. */
  #rows: ReadonlyMap<string, TerminalUsage> = new Map();
  #polledAt: number | undefined;
  #bookmarkedAt: number;
  #next: Cancel = () => {};
  #stopped = false;

  constructor(options: UsageSamplerOptions, events: UsageEvents) {
    this.#options = options;
    this.#events = events;
    this.#ledger = new UsageLedger(options.cores ?? cpus().length);
    this.#bookmarkedAt = options.clock.monotonic();
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    void this.#sample();
  }

  /** Ends it. A sample that is under way states nothing any more. */
  stop(): void {
    this.#stopped = true;
    this.#next();
    this.#begin();
  }

  async #sample(): Promise<void> {
    const { clock, onSample } = this.#options;
    const polledAt = clock.now();
    const began = clock.monotonic();
    const sample = await this.#look().catch(() => undefined);
    if (this.#stopped) return;
    const ms = clock.monotonic() - began;
    onSample?.({ outcome: sample === undefined ? "failing" : "rows", ms });
    if (sample !== undefined) this.#state(sample, polledAt);
    this.#bookmark();
    this.#begin();
    this.#next = clock.schedule(Math.max(USAGE_SAMPLE_MS - ms, ms), () => void this.#sample());
  }

  async #look(): Promise<UsageSample | undefined> {
    const { clock, occupants: look, measure } = this.#options;
    const occupants = await look();
    if (this.#stopped) return undefined;
    const at = clock.monotonic();
    return { at, occupants, figures: await measure([...occupants.values()].flat()) };
  }

  #state(sample: UsageSample, polledAt: number): void {
    const rows = new Map<string, TerminalUsage>();
    for (const [id, used] of this.#ledger.take(sample)) {
      const stated = this.#rows.get(id);
      const row = used === undefined ? stated : usageRow(this.#options.instance, id, used, stated);
      if (row !== undefined) rows.set(id, row);
    }
    this.#rows = rows;
    this.#polledAt = polledAt;
    this.#events.sampled({ rows: [...rows.values()], polledAt });
  }

  /** Half a sample early rather than a whole one late. */
  #bookmark(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#bookmarkedAt < BOOKMARK_MS - USAGE_SAMPLE_MS / 2) return;
    this.#bookmarkedAt = now;
    this.#events.bookmark(this.#polledAt);
  }
}
