import type {
  TerminalCaptureResult,
  TerminalReadArgs,
  TerminalReadResult,
} from "../../contract/acting.ts";
import { CAPTURE_TEXT_BYTES, READ_TEXT_BYTES } from "../../contract/acting-limits.ts";
import type { TerminalWait } from "../../host/channel/messages.ts";
import { ActingError } from "../failure.ts";
import type { CapturedText, ReadInput, ReadText } from "../terminal.ts";
import { endWithin } from "./end-within.ts";

/** What a request asks to read. Throws where its wait does not fit together. */
export function readInput({ from, peek, wait }: TerminalReadArgs): ReadInput {
  return {
    ...(from === undefined ? {} : { from }),
    ...(peek === true ? { peek } : {}),
    ...(wait === undefined ? {} : { wait: waitIn(wait) }),
  };
}

function waitIn(wait: NonNullable<TerminalReadArgs["wait"]>): TerminalWait {
  const { until, pattern, ignore_case: ignoreCase, quiet_ms: quietMs, timeout_ms } = wait;
  if (until === "match") requirePattern(pattern);
  else if (pattern !== undefined || ignoreCase !== undefined) {
    throw invalid(`\`wait.pattern\` and \`wait.ignore_case\` are for match, not for ${until}`);
  }
  if (until !== "quiet" && quietMs !== undefined) {
    throw invalid(`\`wait.quiet_ms\` is for quiet, not for ${until}`);
  }
  return {
    until,
    ...(pattern === undefined ? {} : { pattern }),
    ...(ignoreCase === undefined ? {} : { ignoreCase }),
    ...(quietMs === undefined ? {} : { quietMs }),
    timeoutMs: timeout_ms,
  };
}

function requirePattern(pattern: string | undefined): void {
  if (pattern === undefined) throw invalid("`wait.pattern` must be there where `until` is match");
  try {
    new RegExp(pattern, "m");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalid(`\`wait.pattern\` must be a regular expression of JavaScript: ${why}`);
  }
}

const invalid = (message: string) => new ActingError("invalid", message);

/** What was read, as much of its end as a reply holds. */
export function readResult({ terminal: _, ...read }: ReadText): TerminalReadResult {
  const { text, left } = endWithin(read.text, READ_TEXT_BYTES);
  const screen = read.screen === undefined ? undefined : endWithin(read.screen, READ_TEXT_BYTES);
  const truncated = (read.truncated ?? 0) + left;
  return {
    ...read,
    text,
    ...(screen === undefined ? {} : { screen: screen.text }),
    ...(read.truncated === undefined && left === 0 ? {} : { truncated }),
  };
}

export function captureResult(captured: CapturedText): TerminalCaptureResult {
  const { text, left } = endWithin(captured.text, CAPTURE_TEXT_BYTES);
  return { text, ...(left === 0 ? {} : { truncated: left }) };
}
