import type { Clock } from "../../time/clock.ts";
import { type CheckedDefinition, isPolled } from "./check.ts";
import type { Deadlines } from "./deadlines.ts";
import { GlobMatcher } from "./glob-matcher.ts";
import { LiteralMatcher } from "./literal-matcher.ts";
import type { OutputFeed } from "./output-feed.ts";
import { watchOutput } from "./output-watch.ts";
import type { ProbeQueue } from "./probe-queue.ts";
import { watchByProbe } from "./probe-watch.ts";
import { probeOf } from "./probes/probe.ts";
import { watchQuiet } from "./quiet-watch.ts";
import type { ScreenLooks } from "./screen-looks.ts";
import { watchScreen } from "./screen-watch.ts";
import type { MonitoredSession } from "./session.ts";

/** Looks for what a condition says, between a start and a stop, which alternate. */
export interface Watch {
  start(): void;
  stop(): void;
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

/** Those that wait for the end of the program are told by the session's end. */
const IDLE: Watch = { start() {}, stop() {} };

export function openWatch(
  checked: CheckedDefinition,
  ground: WatchGround,
  events: WatchEvents,
): Watch {
  const { condition, check_interval_ms: intervalMs } = checked.definition;
  if (isPolled(condition)) {
    const probe = probeOf(condition, checked, ground.session.environment);
    return watchByProbe({ probe, intervalMs: intervalMs ?? 0 }, ground, events);
  }
  switch (condition.kind) {
    case "output_contains":
      return watchOutput(new LiteralMatcher(Buffer.from(condition.pattern)), ground, events);
    case "output_matches":
      return watchOutput(new GlobMatcher(condition.pattern), ground, events);
    case "output_quiet":
      return watchQuiet(condition.duration_ms, ground, events);
    case "screen_matches":
      return watchScreen(condition.pattern, ground, events);
    default:
      return IDLE;
  }
}
