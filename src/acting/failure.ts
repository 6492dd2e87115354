import type { ErrorCode } from "../contract/errors.ts";

/** Why nothing was done with a terminal, and under which code of the contract that is told.
 *
 * - `unsupported`: terminals of this scheme cannot be acted on so.
 * - `invalid`: what was asked for is not one of the things that can be.
 * - `gone`: the terminal does not exist any more.
 * - `changed`: it is there, and is not the one that was seen: another process has it.
 * - `ended`: its program, or the job in it, has ended.
 * - `busy`: a job is in front of its shell, or it takes no more than what waits already.
 * - `input_blocked`: its manager would not give it what is typed, or others too.
 * - `no_answer`: what manages it cannot be reached or does not answer.
 * - `refused`: what manages it, or the system, said no. */
const CODES = {
  unsupported: "capability_unavailable",
  invalid: "invalid_args",
  gone: "not_found",
  changed: "not_found",
  ended: "not_found",
  busy: "rate_limited",
  input_blocked: "rate_limited",
  no_answer: "internal_error",
  refused: "internal_error",
} as const satisfies Record<string, ErrorCode>;

export type ActingReason = keyof typeof CODES;

export const isActingReason = (word: string): word is ActingReason => Object.hasOwn(CODES, word);

/** Something was not done with a terminal, or not all of it. `message` is for people; programs branch on `reason`. */
export class ActingError extends Error {
  override readonly name = "ActingError";
  readonly reason: ActingReason;
  /** The program that is in the way of closing it; absent where nothing is. */
  readonly program?: string;

  constructor(reason: ActingReason, message: string, program?: string) {
    super(message);
    this.reason = reason;
    if (program !== undefined) this.program = program;
  }

  /** The contract's code, which says whether the same may succeed later. */
  get code(): ErrorCode {
    return CODES[this.reason];
  }
}
