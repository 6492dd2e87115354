import type { RemovalReason, SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessKey, ProcessTable } from "../processes/types.ts";
import type { Source } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";

/** What is known of the host's terminals. */
export interface Observed {
  readonly terminals: readonly TerminalInfo[];
  /** When the newest good reading ran. Absent before the first. */
  readonly polledAt?: number;
  readonly sources: readonly SourceInfo[];
  readonly at: number;
  /** When the first sign of what is new in it was seen, in the monotonic clock. Absent where there was none before
   * the reading that found it. */
  readonly signAt?: number;
  /** Why a terminal that is not among them any more is gone. */
  reasonOf(id: string): RemovalReason;
}

export interface ObservationEvents {
  /** Something may have changed. */
  observed(observed: Observed): void;
  /** Every source was read again. */
  bookmark(standing: Pick<Observed, "polledAt" | "sources">): void;
  /** Nobody wants it any more; what was observed is out of date from now on. */
  stopped(): void;
}

/** What a reading took, for whoever counts. */
export interface ReadingReport {
  readonly scheme: string;
  readonly outcome: "rows" | "failing" | "absent" | "gone";
  /** Absent where it was not asked, because it is known not to answer. */
  readonly ms: number | undefined;
}

export interface ObservationOptions {
  readonly clock: Clock;
  readonly instance: string;
  readonly table: ProcessTable;
  readonly sources: readonly Source[];
  /** The runs of agents that are known. */
  readonly agents?: () => readonly ProcessKey[];
  readonly onReading?: (report: ReadingReport) => void;
}
