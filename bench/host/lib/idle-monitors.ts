import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MonitorCondition, MonitorDefinition } from "../../../src/host/supervisor/index.ts";

/** How often a command is run as a probe, in milliseconds: it is a process each time. */
const COMMAND_EVERY_MS = 60_000;

/** A port that nobody listens on: it is reserved for a service that is long gone (tcpmux). */
const PORT = 1;

const FILE = "file";
const NEVER = "never";

/** Nothing of this comes about while a program sits there. */
const TOLD: readonly MonitorCondition[] = [
  { kind: "process_exit" },
  { kind: "exit_code", exit_code: 7 },
  { kind: "signal", signal: "kill" },
  { kind: "output_contains", pattern: NEVER },
  { kind: "output_matches", pattern: "n?ver*" },
  { kind: "output_quiet", duration_ms: 3_600_000 },
  { kind: "screen_matches", pattern: NEVER },
];
const PATHS: readonly MonitorCondition[] = [
  { kind: "path_exists", path: NEVER },
  { kind: "path_changed", path: FILE },
  { kind: "path_size", path: FILE, minimum_bytes: 1_000_000_000 },
];
const ASKED: readonly MonitorCondition[] = [
  { kind: "tcp_ready", host: "127.0.0.1", port: PORT },
  { kind: "http_ready", pattern: `http://127.0.0.1:${PORT}/` },
  { kind: "custom_probe", command: "false", cwd: "." },
];

/** In turn, what monitors watch that are of all conditions, or of paths alone. */
export const ALL: readonly MonitorCondition[] = [...TOLD, ...PATHS, ...ASKED];
export { PATHS };

/** So many monitors of these conditions, in turn, which do not come about. Those that have to be asked for are, every so many
 * milliseconds. */
export function monitorsOf(
  conditions: readonly MonitorCondition[],
  count: number,
  workspace: string,
  everyMs: number,
): MonitorDefinition[] {
  writeFileSync(join(workspace, FILE), "as it was");
  return Array.from({ length: count }, (_, number) => {
    const condition = conditions[number % conditions.length] ?? { kind: "process_exit" };
    return {
      condition,
      ...(TOLD.includes(condition) ? {} : { check_interval_ms: intervalOf(condition, everyMs) }),
      notify: { kind: "on_match" },
      lifetime: { kind: "until_session_end" },
    };
  });
}

const intervalOf = ({ kind }: MonitorCondition, everyMs: number) =>
  kind === "custom_probe" ? COMMAND_EVERY_MS : everyMs;
