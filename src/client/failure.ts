/** Why there is no connection, or no rows.
 *
 * - `unreachable`: no connection could be made.
 * - `lost`: the connection ended.
 * - `silent`: the connection was given up because the publisher did not answer.
 * - `unauthorized`: the credentials are refused.
 * - `refused`: there is no publisher at the address.
 * - `generation`: the publisher speaks another generation of the contract.
 * - `protocol`: what answers does not speak the contract.
 * - `too_large`: the publisher states more than a subscription may hold.
 * - `topic_refused`: the publisher does not give the topic.
 * - `closed`: `close` was called. */
export type FailureReason =
  | "unreachable"
  | "lost"
  | "silent"
  | "unauthorized"
  | "refused"
  | "generation"
  | "protocol"
  | "too_large"
  | "topic_refused"
  | "closed";

/** What went wrong with a subscription. `message` is for people; programs branch on `reason`. */
export class SubscriptionError extends Error {
  override readonly name = "SubscriptionError";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
