import type {
  MonitorDefinition,
  MonitorLifetime,
  MonitorNotify,
} from "../../host/supervisor/messages.ts";
import { UsageError } from "../failure.ts";
import { readWhole } from "../supervise/options.ts";
import { type ConditionOptions, conditionIn, LOOKED_AT_WORDS } from "./conditions.ts";

/** What a monitor is stated with, each as it was typed. */
export interface DefinitionOptions extends ConditionOptions {
  readonly every?: string;
  readonly notify?: string;
  readonly checks?: string;
  readonly interval?: string;
  readonly until?: string;
  readonly for?: string;
}

/** How often something is looked at that has to be, in milliseconds. */
const EVERY_MS = 1_000;

/** The monitor that options state. Throws a UsageError that names the option that is wrong. */
export function definitionOf(
  value: string | undefined,
  options: DefinitionOptions,
): MonitorDefinition {
  const { word, condition, isLookedAt } = conditionIn(value, options);
  const notify = notifyOf(options);
  const lifetime = lifetimeOf(options, notify);
  const { every } = options;
  if (!isLookedAt) {
    if (every === undefined) return { condition, notify, lifetime };
    throw new UsageError(
      `--every is for what has to be looked at (--on ${LOOKED_AT_WORDS}), not for ${word}`,
    );
  }
  const check_interval_ms = every === undefined ? EVERY_MS : readWhole("--every", 10)(every);
  return { condition, check_interval_ms, notify, lifetime };
}

function notifyOf({ notify = "match", checks, interval }: DefinitionOptions): MonitorNotify {
  if (checks !== undefined && notify !== "check") {
    throw new UsageError(`--checks is for --notify check, not for ${notify}`);
  }
  if (interval !== undefined && notify !== "interval") {
    throw new UsageError(`--interval is for --notify interval, not for ${notify}`);
  }
  switch (notify) {
    case "match":
      return { kind: "on_match" };
    case "change":
      return { kind: "on_state_change" };
    case "exit":
      return { kind: "on_exit" };
    case "check":
      return checks === undefined
        ? { kind: "every_check" }
        : { kind: "every_n_checks", count: readWhole("--checks", 1)(checks) };
    case "interval":
      if (interval === undefined) {
        throw new UsageError(
          "--notify interval needs --interval <milliseconds>, such as --interval 60000",
        );
      }
      return { kind: "interval", interval_ms: readWhole("--interval", 10)(interval) };
    default:
      throw new UsageError(
        `--notify must be one of match, change, exit, check, interval, got "${notify}"`,
      );
  }
}

/** Whoever is told of a match alone needs the monitor no longer after it. */
function lifetimeOf(options: DefinitionOptions, notify: MonitorNotify): MonitorLifetime {
  const { until = notify.kind === "on_match" ? "match" : "end", for: duration } = options;
  if (duration !== undefined) {
    if (options.until === undefined) {
      return { kind: "duration", duration_ms: readWhole("--for", 1)(duration) };
    }
    throw new UsageError("of --until and --for only one can be given");
  }
  if (until === "match") return { kind: "until_match" };
  if (until === "end") return { kind: "until_session_end" };
  throw new UsageError(`--until must be match or end, got "${until}"`);
}
