/** Why the host does not answer, or not as asked.
 *
 * - `unreachable`: nobody listens at the path.
 * - `unauthorized`: the socket may not be opened.
 * - `silent`: no greeting came in time.
 * - `protocol`: what answers does not speak the dialect.
 * - `lost`: the connection ended.
 * - `refused`: the host says no, in `message`.
 * - `backlog`: more was written than the host takes in.
 * - `closed`: it was closed here. */
export type ChannelFailure =
  | "unreachable"
  | "unauthorized"
  | "silent"
  | "protocol"
  | "lost"
  | "refused"
  | "backlog"
  | "closed";

/** What went wrong between a client and the host. `message` is for people; programs branch on `reason`. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  readonly reason: ChannelFailure;

  constructor(reason: ChannelFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
