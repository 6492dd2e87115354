import { type Cancel, type Clock, MAX_DELAY_MS } from "../../time/clock.ts";
import { type WaitParts, waitFor } from "../waits/wait.ts";
import { LiteralSearch } from "./literal-search.ts";
import type { ReturnCondition, ReturnOutcome } from "./messages.ts";
import type { Session } from "./session.ts";

export interface WaitFor {
  readonly condition: ReturnCondition;
  readonly ceilingMs: number;
  /** `match`: the offset of the output from which text counts. */
  readonly from: number;
  readonly signal: AbortSignal;
}

/** Whether what is waited for is so. */
interface Watch {
  isMet(): boolean;
  end(): void;
}

/** Waits for something of a session and answers what came. Where several things are so at once, that it was cancelled
 * goes first, then the end of the session, then the condition, then the ceiling. */
export function outcomeOf(
  session: Session,
  wait: WaitFor,
  parts: WaitParts,
): Promise<ReturnOutcome> {
  const { terminal } = session;
  const { clock } = parts;
  const { signal, ceilingMs } = wait;
  return new Promise((resolve, reject) => {
    const ends: Cancel[] = [];
    let isOver = false;
    const settle = (outcome: ReturnOutcome) => {
      if (isOver) return;
      isOver = true;
      for (const end of ends) end();
      resolve(outcome);
    };
    const failed = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      for (const end of ends) end();
      reject(error);
    };
    const look = (isTimeUp = false) => {
      if (isOver) return;
      if (signal.aborted) return settle({ cancelled: {} });
      const ended = endOf(session);
      if (ended !== undefined) return settle(ended);
      if (wait.condition.kind === "started") return settle({ started: {} });
      if (watch.isMet()) return settle({ condition_met: {} });
      if (isTimeUp) settle({ safety_ceiling: {} });
    };
    const watch = watchOf(session, wait, parts, { look: () => look(), failed });
    const abort = () => look();
    signal.addEventListener("abort", abort, { once: true });
    ends.push(
      () => watch.end(),
      terminal.output.on(() => look()),
      () => signal.removeEventListener("abort", abort),
      clock.schedule(Math.min(ceilingMs, MAX_DELAY_MS), () => look(true)),
    );
    look();
  });
}

/** How a session ended whose output is all there; absent while it runs. */
function endOf({ terminal: { state, exit, isLost } }: Session): ReturnOutcome | undefined {
  if (state === "running") return undefined;
  if (state === "closed") return { signal: "closed" };
  if (isLost) return { signal: "session_lost" };
  return exit?.signal === undefined ? { exited: exit?.code ?? 0 } : { signal: exit.signal };
}

interface Told {
  look(): void;
  failed(error: unknown): void;
}

function watchOf(session: Session, wait: WaitFor, parts: WaitParts, told: Told): Watch {
  const { condition } = wait;
  if (condition.kind === "quiet")
    return quiet(session, Number(condition.duration_ms), parts.clock, told);
  if (condition.kind === "match") return match(session, condition.pattern, wait, parts, told);
  return { isMet: () => false, end() {} };
}

/** Counted from the last output, however long ago that was. One timer for the whole wait. */
function quiet(session: Session, durationMs: number, clock: Clock, told: Told): Watch {
  const left = () => session.outputAt + durationMs - clock.monotonic();
  let cancel: Cancel = () => {};
  const arm = () => {
    cancel = clock.schedule(Math.min(MAX_DELAY_MS, Math.max(0, left())), () => {
      if (left() <= 0) told.look();
      else arm();
    });
  };
  arm();
  return { isMet: () => left() <= 0, end: () => cancel() };
}

/** In the text as a reader sees it, or in the bytes as they came: who looks for a sequence finds it there. */
function match(
  { terminal }: Session,
  pattern: string,
  { from, ceilingMs }: WaitFor,
  parts: WaitParts,
  told: Told,
): Watch {
  const raw = new LiteralSearch(terminal.ring, pattern, from);
  const controller = new AbortController();
  let isInText = false;
  const literal = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const text = { until: "match", pattern: literal, from, timeoutMs: ceilingMs } as const;
  waitFor(terminal.source, text, parts, controller.signal).then(
    (waited) => {
      if (waited !== "match") return;
      isInText = true;
      told.look();
    },
    (error) => {
      if (!controller.signal.aborted) told.failed(error);
    },
  );
  return { isMet: () => isInText || raw.isFound(), end: () => controller.abort() };
}
