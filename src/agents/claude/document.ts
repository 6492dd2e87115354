import { MAX_EXACT_INTEGER, Pid, Sid, StartTick } from "../../contract/identifiers.ts";
import { isValid } from "../../contract/validation.ts";
import { optional } from "../../sources/optional.ts";

/** The longest text that is taken over, in UTF-16 code units; no row states as much. */
const TEXT_UNITS = 4_096;

/** What a state file says of the run that wrote it. */
export interface StateDocument {
  readonly pid: number;
  readonly sid: string;
  readonly cwd: string;
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The start of the process as its kernel counts it: on Linux field 22 of `/proc/<pid>/stat`. Older versions
   * leave it out. */
  readonly procStart?: string;
  readonly name?: string;
  readonly status?: string;
  /** Since when `status` holds, in epoch milliseconds. */
  readonly statusAt?: number;
  readonly waitingFor?: string;
  readonly state?: string;
  readonly backgroundId?: string;
}

/** Reads the text of a state file. `torn`: it is no whole JSON, as while it is being written. `alien`: it is whole
 * and lacks something that each run has. */
export function parseState(text: string): StateDocument | "torn" | "alien" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "torn";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "alien";
  const field = (name: string): unknown => Reflect.get(value, name);
  const pid = field("pid");
  const sid = field("sessionId");
  const cwd = word(field("cwd"));
  const kind = word(field("kind"));
  const startedAt = instant(field("startedAt"));
  const procStart = field("procStart");
  const status = word(field("status"));
  if (!isValid(Pid, pid) || !isValid(Sid, sid)) return "alien";
  if (cwd === undefined || kind === undefined || startedAt === undefined) return "alien";
  return {
    pid,
    sid,
    cwd,
    kind,
    startedAt,
    ...optional("procStart", isValid(StartTick, procStart) ? procStart : undefined),
    ...optional("name", prose(field("name"))),
    ...optional("status", status),
    ...optional("statusAt", status === undefined ? undefined : instant(field("statusUpdatedAt"))),
    ...optional("waitingFor", prose(field("waitingFor"))),
    ...optional("state", word(field("state"))),
    ...optional("backgroundId", word(field("backgroundId"))),
  };
}

/** A text that programs compare: half of one would be another one, so one that is too long counts for nothing. */
function word(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.length > TEXT_UNITS ? undefined : value;
}

/** A text for people, who can do with its beginning. */
function prose(value: unknown): string | undefined {
  return typeof value === "string" ? word(value.slice(0, TEXT_UNITS)) : undefined;
}

function instant(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value >= 0 && value <= MAX_EXACT_INTEGER)) return undefined;
  return Math.floor(value);
}
