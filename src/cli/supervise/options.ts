import type {
  ReturnCondition,
  TerminalKey,
  TerminalSignal,
} from "../../host/supervisor/messages.ts";
import { UsageError } from "../failure.ts";
import type { Awaited } from "./outcome.ts";

/** The longest wait, in milliseconds: the longest that a timer of Node holds, about 24 days. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** What all operations take. */
export interface SuperviseOptions {
  /** Whether the result is printed as the wire has it. */
  readonly json?: boolean;
  /** A whole operation as JSON, or `-` where it comes on the input. */
  readonly request?: string;
}

/** What is waited for. */
export interface WaitOptions {
  readonly pattern?: string;
  /** How long without output is quiet, in milliseconds. */
  readonly quiet?: number;
  /** In milliseconds. Absent: as long as it takes. */
  readonly timeout?: number;
}

const AWAITED = ["started", "exit", "quiet", "match"] as const satisfies readonly Awaited[];

export function readAwaited(what: string): (text: string) => Awaited {
  return (text) => oneOf(AWAITED, what, text);
}

export const AWAITED_WORDS = AWAITED.join(", ");

const BACKENDS = ["native", "tmux"] as const;

export const readBackend = (text: string) => oneOf(BACKENDS, "--backend", text);

// The words of the wire are stated again here, since its schemas are much to load for every command.
const KEYS: { readonly [Key in TerminalKey]: Key } = {
  enter: "enter",
  tab: "tab",
  escape: "escape",
  backspace: "backspace",
  delete: "delete",
  insert: "insert",
  arrow_up: "arrow_up",
  arrow_down: "arrow_down",
  arrow_left: "arrow_left",
  arrow_right: "arrow_right",
  home: "home",
  end: "end",
  page_up: "page_up",
  page_down: "page_down",
};

export const KEY_WORDS = Object.values(KEYS).join(", ");

export const readKey = (text: string): TerminalKey =>
  oneOf(Object.values(KEYS), "a key", text.toLowerCase());

/** The code of a character that is pressed with Ctrl. */
export function readControl(text: string): number {
  if (/^[?@-_a-z]$/.test(text)) return text.charCodeAt(0);
  throw new UsageError(`a control must be one of ?, @ to _ or a to z, got "${text}"`);
}

const SIGNALS: { readonly [Name in TerminalSignal]: readonly [word: Name, name: string] } = {
  hangup: ["hangup", "HUP"],
  interrupt: ["interrupt", "INT"],
  quit: ["quit", "QUIT"],
  terminate: ["terminate", "TERM"],
  kill: ["kill", "KILL"],
};

const SIGNAL_LIST = Object.values(SIGNALS).map(([word]) => word);

export const SIGNAL_WORDS = SIGNAL_LIST.join(", ");

/** Reads a signal by the dialect's word or by the system's, with or without SIG before it. */
export function readSignal(what: string): (text: string) => TerminalSignal {
  return (text) => {
    const short = text.toUpperCase().replace(/^SIG/, "");
    const found = Object.values(SIGNALS).find(([, name]) => name === short);
    return found?.[0] ?? oneOf(SIGNAL_LIST, what, text.toLowerCase());
  };
}

/** An integer of at least `least`. */
export function readWhole(what: string, least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new UsageError(`${what} must be an integer of at least ${least}, got "${text}"`);
  };
}

/** The condition that options state. Throws where they do not fit together. */
export function conditionOf(awaited: Awaited, { pattern, quiet }: WaitOptions): ReturnCondition {
  if (awaited !== "match" && pattern !== undefined) {
    throw new UsageError(`--pattern is for match, not for ${awaited}`);
  }
  if (awaited !== "quiet" && quiet !== undefined) {
    throw new UsageError(`--quiet is for quiet, not for ${awaited}`);
  }
  if (awaited === "match") {
    if (pattern === undefined) throw new UsageError("a match needs --pattern <text>");
    return { kind: awaited, pattern };
  }
  return awaited === "quiet" ? { kind: awaited, duration_ms: quiet ?? 500 } : { kind: awaited };
}

/** How long to wait at most, in milliseconds. */
export const ceilingOf = ({ timeout = MAX_WAIT_MS }: WaitOptions): number =>
  Math.min(timeout, MAX_WAIT_MS);

function oneOf<T extends string>(known: readonly T[], what: string, text: string): T {
  const found = known.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${known.join(", ")}, got "${text}"`);
}
