import type { ReturnCondition, ReturnOutcome } from "../../host/supervisor/messages.ts";
import { EXIT } from "../failure.ts";

/** How a command ends whose wait ended otherwise than asked: `ceiling`, what it waited for did not come in time; `otherwise`,
 * the session ended before, or the wait was cancelled. */
const WAIT_EXIT = { ceiling: 3, otherwise: 4 } as const;

/** What can be waited for, in a word. */
export type Awaited = ReturnCondition["kind"];

/** The exit code of a wait. A program that has ended had been started. */
export function exitOf(awaited: Awaited, outcome: ReturnOutcome): number {
  if ("safety_ceiling" in outcome) return WAIT_EXIT.ceiling;
  if ("cancelled" in outcome) return WAIT_EXIT.otherwise;
  const hasEnded = "exited" in outcome || "signal" in outcome;
  if (hasEnded && awaited !== "exit" && awaited !== "started") return WAIT_EXIT.otherwise;
  return EXIT.ok;
}

/** How a wait ended, in words. */
export function outcomeText(awaited: Awaited, outcome: ReturnOutcome): string {
  if ("exited" in outcome) return `ended with ${outcome.exited}`;
  if ("signal" in outcome) return ENDS[outcome.signal] ?? `ended by ${outcome.signal}`;
  if ("safety_ceiling" in outcome) return `not in time: ${AWAITED[awaited]}`;
  if ("cancelled" in outcome) return "cancelled";
  return awaited;
}

/** Ends that are no signals, though the wire has them there. */
const ENDS: Readonly<Record<string, string>> = { closed: "closed", session_lost: "lost" };

const AWAITED: Readonly<Record<Awaited, string>> = {
  started: "it has not started",
  exit: "it has not ended",
  quiet: "it was not quiet",
  match: "it showed no match",
};
