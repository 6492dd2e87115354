import { setMaxListeners } from "node:events";
import { type Cancel, type Clock, MAX_DELAY_MS } from "../../time/clock.ts";
import { MatchWatch } from "./match.ts";
import { patternOf } from "./pattern.ts";
import type { PatternThread } from "./pattern-thread.ts";
import { QUIET_MS, watchQuiet } from "./quiet.ts";
import type { OutputSource } from "./source.ts";
import { type Finder, type Waited, type Watch, watchExit } from "./watch.ts";

export type { Waited } from "./watch.ts";

/** What to wait for, and how long. */
export interface Wait {
  readonly until: "quiet" | "exit" | "match";
  /** `match`: a regular expression of JavaScript, of at most MAX_PATTERN_BYTES. */
  readonly pattern?: string;
  readonly ignoreCase?: boolean;
  /** `match`: the offset of the output from which the text counts. Without it, from now on. */
  readonly from?: number;
  /** `quiet`: QUIET_MS if not said. */
  readonly quietMs?: number;
  /** Milliseconds. 0 looks once, and does not wait. */
  readonly timeoutMs: number;
}

/** What waits work with. */
export interface WaitParts {
  readonly clock: Clock;
  readonly patterns: PatternThread;
}

/**
 * Waits for something of a terminal's output, and answers what came first. A time that is over is no error. Where several
 * things are so already, the terminal being gone goes first, then what was waited for, then the end of the program, then
 * the time.
 *
 * Rejects with InvalidPattern at once, with PatternFailed when a pattern takes too long, with a RangeError for a time
 * that is none, and with the signal's reason when that aborts.
 */
export async function waitFor(
  source: OutputSource,
  wait: Wait,
  { clock, patterns }: WaitParts,
  signal?: AbortSignal,
): Promise<Waited> {
  const timeoutMs = duration("timeoutMs", wait.timeoutMs);
  const quietMs = duration("quietMs", wait.quietMs ?? QUIET_MS);
  const pattern = wait.until === "match" ? patternOf(wait.pattern, wait.ignoreCase) : undefined;
  const from = wait.from ?? source.end;
  signal?.throwIfAborted();
  const watch = (finder: Finder): Watch => {
    if (pattern !== undefined)
      return new MatchWatch({ source, from, pattern, patterns, clock }, finder);
    return wait.until === "quiet"
      ? watchQuiet(source, clock, quietMs, finder)
      : watchExit(source, finder);
  };
  return settle(source, watch, { clock, timeoutMs, signal });
}

interface Bounds {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs one watch until it finds something, and ends all that it began. */
function settle(
  source: OutputSource,
  begin: (finder: Finder) => Watch,
  { clock, timeoutMs, signal }: Bounds,
): Promise<Waited> {
  return new Promise((resolve, reject) => {
    const ends: Cancel[] = [];
    const over = () => {
      for (const end of ends.splice(0)) end();
    };
    const found = (waited: Waited) => {
      over();
      resolve(waited);
    };
    const failed = (error: unknown) => {
      over();
      reject(error);
    };
    const watch = begin({ found, failed });
    const look = () => {
      if (source.isClosed) found("closed");
      else watch.look();
    };
    const abort = () => failed(signal?.reason);
    // As many may wait as like to.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener("abort", abort, { once: true });
    ends.push(
      () => watch.end(),
      source.onOutput(look),
      clock.schedule(timeoutMs, () => watch.timeUp()),
      () => signal?.removeEventListener("abort", abort),
    );
    look();
  });
}

function duration(option: string, ms: number): number {
  if (Number.isFinite(ms) && ms >= 0) return Math.min(ms, MAX_DELAY_MS);
  throw new RangeError(`\`${option}\` must be a number of milliseconds from 0 on, got ${ms}`);
}
