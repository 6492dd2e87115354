import type { ErrorBody } from "../contract/errors.ts";

/** What became of a call that did not succeed.
 *
 * - `refused`: the publisher says no, in `error`.
 * - `not_sent`: nothing was asked of it, so that it can be asked again.
 * - `unknown`: it was asked and no answer came, or the publisher says that none came from the instance that owns the terminal: it may
 *   have been done. Asked again with the same `key` it is done once. */
export type CallOutcome = "refused" | "not_sent" | "unknown";

/** A call that did not succeed, or of which that is not known. `message` is for people; programs branch on `outcome` and
 * `error`. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly outcome: CallOutcome;
  /** What the publisher answered, where it did. */
  readonly error?: ErrorBody;
  /** What the call was named by. Absent of one that is not named. */
  readonly key?: string;

  constructor(
    outcome: CallOutcome,
    message: string,
    more: { readonly error?: ErrorBody; readonly key?: string | undefined } = {},
  ) {
    super(message);
    this.outcome = outcome;
    if (more.error !== undefined) this.error = more.error;
    if (more.key !== undefined) this.key = more.key;
  }
}
