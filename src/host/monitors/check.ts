import type { MonitorCondition, MonitorDefinition } from "./definition.ts";
import * as limits from "./limits.ts";
import { type FileFacts, factsOf, type Place, placeIn } from "./places.ts";
import { MonitorRefusal } from "./refusal.ts";

/** A definition that is within all bounds, with what was found where it points. Only `checkedDefinition` makes them. */
export interface CheckedDefinition {
  readonly definition: MonitorDefinition;
  /** Where the condition's path or working folder is. */
  readonly place?: Place;
  /** What was there. Absent: nothing. */
  readonly facts?: FileFacts;
}

/** Checks a definition and looks at the places that it names. Rejects with a MonitorRefusal that says what is wrong.
 * Once it is checked, adding it needs no more waiting: monitors can be there before a program's first output. */
export async function checkedDefinition(
  definition: MonitorDefinition,
  workspaceRoot: string,
): Promise<CheckedDefinition> {
  const { condition } = definition;
  checkBounds(definition);
  const field = placeField(condition);
  if (field === undefined) return { definition };
  const place = await placeIn(workspaceRoot, field.path, field.name);
  const facts = await factsOf(place).catch(() => undefined);
  if (condition.kind === "custom_probe" && !facts?.isFolder) {
    return refuse(`cwd must be a folder, got ${JSON.stringify(condition.cwd)}`);
  }
  return { definition, place, ...(facts === undefined ? {} : { facts }) };
}

/** Throws a MonitorRefusal where a definition is not within the bounds. */
export function checkBounds(definition: MonitorDefinition): void {
  const { condition, check_interval_ms: interval, notify, lifetime } = definition;
  checkCondition(condition);
  if (notify.kind === "every_n_checks") within("count", notify.count, 1, limits.MAX_CHECKS);
  if (notify.kind === "interval") checkInterval("interval_ms", notify.interval_ms);
  if (lifetime.kind === "duration") {
    within("duration_ms", lifetime.duration_ms, 1, limits.MAX_LIFETIME_MS);
  }
  if (!isPolled(condition)) {
    if (interval === undefined || interval === null) return;
    refuse(
      `check_interval_ms must be left out for ${condition.kind}, which is told of what happens, got ${interval}`,
    );
  }
  if (interval === undefined || interval === null) {
    refuse(`check_interval_ms must be given for ${condition.kind}: ${INTERVALS}`);
  }
  checkInterval("check_interval_ms", interval);
}

const INTERVALS = `${limits.MIN_INTERVAL_MS} to ${limits.MAX_INTERVAL_MS} milliseconds`;

const POLLED = [
  "tcp_ready",
  "http_ready",
  "path_exists",
  "path_changed",
  "path_size",
  "custom_probe",
] as const;
export type PolledCondition = Extract<MonitorCondition, { kind: (typeof POLLED)[number] }>;

/** Whether nothing tells of a condition: it has to be asked for. */
export function isPolled(condition: MonitorCondition): condition is PolledCondition {
  return POLLED.some((kind) => kind === condition.kind);
}

function checkCondition(condition: MonitorCondition): void {
  switch (condition.kind) {
    case "output_contains":
    case "output_matches":
    case "screen_matches":
      checkText("pattern", condition.pattern, limits.MAX_PATTERN_BYTES);
      break;
    case "output_quiet":
      checkInterval("duration_ms", condition.duration_ms);
      break;
    case "tcp_ready":
      checkText("host", condition.host, limits.MAX_PLACE_BYTES);
      within("port", condition.port, 1, 65_535);
      break;
    case "http_ready":
      checkText("pattern", condition.pattern, limits.MAX_PLACE_BYTES);
      checkUrl(condition.pattern);
      break;
    case "path_exists":
    case "path_changed":
      checkText("path", condition.path, limits.MAX_PLACE_BYTES);
      break;
    case "path_size":
      checkText("path", condition.path, limits.MAX_PLACE_BYTES);
      within("minimum_bytes", condition.minimum_bytes, 0, Number.MAX_SAFE_INTEGER);
      break;
    case "custom_probe":
      checkText("command", condition.command, limits.MAX_COMMAND_BYTES);
      checkText("cwd", condition.cwd, limits.MAX_PLACE_BYTES);
      break;
  }
}

function placeField(condition: MonitorCondition): { name: string; path: string } | undefined {
  if (condition.kind === "custom_probe") return { name: "cwd", path: condition.cwd };
  return "path" in condition ? { name: "path", path: condition.path } : undefined;
}

function checkText(field: string, text: string, maxBytes: number): void {
  if (text === "") refuse(`${field} must not be empty`);
  if (text.includes("\0")) refuse(`${field} must not have a NUL character in it`);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    refuse(`${field} must have at most ${maxBytes} bytes of UTF-8, got ${bytes}`);
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" && url.username === "" && url.password === "" && url.port !== "0")
    return;
  refuse(
    `pattern must be a URL that begins with http:// and names no user, got ${JSON.stringify(text)}`,
  );
}

function checkInterval(field: string, ms: number): void {
  within(field, ms, limits.MIN_INTERVAL_MS, limits.MAX_INTERVAL_MS);
}

function within(field: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  refuse(`${field} must be an integer from ${least} to ${most}, got ${value}`);
}

function refuse(message: string): never {
  throw new MonitorRefusal("invalid_request", message);
}
