import { MAX_CELLS_ACROSS, MAX_WAIT_MS } from "../../host/channel/limits.ts";
import type { TerminalSignal, TerminalWait } from "../../host/channel/messages.ts";
import { UsageError } from "../failure.ts";

/** What can be waited for. */
export const WAITS = ["quiet", "exit", "match"] as const satisfies readonly TerminalWait["until"][];

/** What a wait is asked for with. */
export interface WaitOptions {
  readonly pattern?: string;
  readonly ignoreCase?: boolean;
  /** How long without output is quiet, in milliseconds. */
  readonly quiet?: number;
  /** In milliseconds. Absent: as long as it takes. */
  readonly timeout?: number;
}

/** A number of columns or rows. */
export function readCells(what: string): (text: string) => number {
  return (text) => {
    const cells = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (cells >= 1 && cells <= MAX_CELLS_ACROSS) return cells;
    throw new UsageError(`${what} must be an integer from 1 to ${MAX_CELLS_ACROSS}, got "${text}"`);
  };
}

/** A number of something, or a place in a terminal's output. */
export function readCount(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new UsageError(`${option} must be an integer of at least 0, got "${text}"`);
  };
}

export function readUntil(what: string): (text: string) => TerminalWait["until"] {
  return (text) => {
    const found = WAITS.find((one) => one === text);
    if (found !== undefined) return found;
    throw new UsageError(`${what} must be ${WAITS.join(", ")}, got "${text}"`);
  };
}

/** Those that the host sends. Stated again here, since its schema is much to load for every command. */
const SIGNALS: { readonly [Name in TerminalSignal]: Name } = {
  SIGHUP: "SIGHUP",
  SIGINT: "SIGINT",
  SIGQUIT: "SIGQUIT",
  SIGKILL: "SIGKILL",
  SIGUSR1: "SIGUSR1",
  SIGUSR2: "SIGUSR2",
  SIGTERM: "SIGTERM",
  SIGCONT: "SIGCONT",
  SIGSTOP: "SIGSTOP",
  SIGTSTP: "SIGTSTP",
};

/** Reads a signal's name, with or without SIG before it. */
export function readSignal(text: string): TerminalSignal {
  const name = `SIG${text.toUpperCase().replace(/^SIG/, "")}`;
  const known = Object.values(SIGNALS);
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const names = known.map((one) => one.slice("SIG".length)).join(", ");
  throw new UsageError(`the signal must be one of ${names}, got "${text}"`);
}

/** The wait that options ask for. Throws where they do not fit together. */
export function waitOf(until: TerminalWait["until"], options: WaitOptions): TerminalWait {
  const { pattern, ignoreCase, quiet, timeout } = options;
  if (until === "match") requirePattern(pattern);
  else requireAbsent(options, `--pattern and --ignore-case are for match, not for ${until}`);
  if (until !== "quiet" && quiet !== undefined) {
    throw new UsageError(`--quiet is for quiet, not for ${until}`);
  }
  return {
    until,
    ...(pattern === undefined ? {} : { pattern }),
    ...(ignoreCase === undefined ? {} : { ignoreCase }),
    ...(quiet === undefined ? {} : { quietMs: Math.min(quiet, MAX_WAIT_MS) }),
    timeoutMs: Math.min(timeout ?? MAX_WAIT_MS, MAX_WAIT_MS),
  };
}

function requireAbsent({ pattern, ignoreCase }: WaitOptions, message: string): void {
  if (pattern !== undefined || ignoreCase !== undefined) throw new UsageError(message);
}

function requirePattern(pattern: string | undefined): void {
  if (pattern === undefined) throw new UsageError("a match needs --pattern <regex>");
  try {
    new RegExp(pattern, "m");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--pattern must be a regular expression of JavaScript: ${why}`);
  }
}
