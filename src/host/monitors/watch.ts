import type { Clock } from "../../time/clock.ts";
import type { Deadlines } from "./deadlines.ts";
import type { OutputFeed } from "./output-feed.ts";
import type { ProbeQueue } from "./probe-queue.ts";
import type { SavedWatch } from "./saved.ts";
import type { ScreenLooks } from "./screen-looks.ts";
import type { MonitoredSession } from "./session.ts";

/** Looks for what a condition says, between a start and a stop, which alternate. */
export interface Watch {
  /** `saved`: goes on from where that of an earlier process was. */
  start(saved?: SavedWatch): void;
  stop(): void;
  /** Where it is, once it has started. Absent where it needs nothing to go on. */
  save?(): SavedWatch;
}

/** What a watch tells. */
export interface WatchEvents {
  /** It has looked. */
  looked(isMet: boolean): void;
  /** It cannot look any more: output was lost. */
  lost(): void;
}

/** What watches of one session look at. */
export interface WatchGround {
  readonly session: MonitoredSession;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly probes: ProbeQueue;
  readonly feed: OutputFeed;
  readonly screens: ScreenLooks;
}
