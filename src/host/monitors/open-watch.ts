import { type CheckedDefinition, isPolled } from "./check.ts";
import { GlobMatcher } from "./glob-matcher.ts";
import { LiteralMatcher } from "./literal-matcher.ts";
import { watchOutput } from "./output-watch.ts";
import { watchByProbe } from "./probe-watch.ts";
import { probeOf } from "./probes/probe.ts";
import { watchQuiet } from "./quiet-watch.ts";
import { watchScreen } from "./screen-watch.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

/** Those that wait for the end of the program are told by the session's end. */
const IDLE: Watch = { start() {}, stop() {} };

/** The watch that looks for a definition's condition. */
export function openWatch(
  checked: CheckedDefinition,
  ground: WatchGround,
  events: WatchEvents,
): Watch {
  const { condition, check_interval_ms: intervalMs } = checked.definition;
  if (isPolled(condition)) {
    const probe = probeOf(condition, checked, ground.session);
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
