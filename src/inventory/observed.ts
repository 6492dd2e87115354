import type { AgentSource } from "../agents/run.ts";
import type { AgentInfo } from "../contract/agents.ts";
import type { RemovalReason, SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import type { TerminalSource } from "./terminal.ts";

/** How far what is known of one kind of rows can be relied on. */
export interface Standing {
  /** When the newest good reading ran. Absent before the first. */
  readonly polledAt?: number;
  readonly sources: readonly SourceInfo[];
}

/** What is known of one kind of rows. */
export interface Known<Row> extends Standing {
  readonly rows: readonly Row[];
  /** Why a row that is not among them any more is gone. */
  reasonOf(row: Row): RemovalReason;
}

/** How both kinds stand. */
export interface Standings {
  readonly terminals: Standing;
  readonly agents: Standing;
}

/** What is known of the host's terminals, and of the agents that run on it. */
export interface Observed {
  readonly terminals: Known<TerminalInfo>;
  readonly agents: Known<AgentInfo>;
  readonly at: number;
  /** When the first sign of what is new in it was seen, in the monotonic clock. Absent where there was none before
   * the reading that found it. */
  readonly signAt?: number;
}

export interface ObservationEvents {
  /** Something may have changed. */
  observed(observed: Observed): void;
  /** Every source was read again. */
  bookmark(standings: Standings): void;
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
  /** Where terminals are observed. Of two sources that state one terminal the first counts. */
  readonly sources: readonly TerminalSource[];
  /** Where runs of agents are observed. Of two sources that state one run the first counts. */
  readonly agentSources: readonly AgentSource[];
  readonly onReading?: (report: ReadingReport) => void;
}
