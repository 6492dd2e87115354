import type { FailureCode, TerminalFailureCode } from "../messages.ts";

/** Why the host does not do something, or nobody knows whether it did.
 *
 * - `unreachable`: nobody listens at the path.
 * - `unauthorized`: the socket may not be opened.
 * - `silent`: no greeting came in time.
 * - `protocol`: what answers does not speak the dialect, or no version that is spoken here.
 * - `lost`: the connection ended; what was under way may have been done.
 * - `refused`: the host says no; `code` says why.
 * - `backlog`: more was asked for at once than the host takes in.
 * - `closed`: it was closed here. */
export type SupervisorFailure =
  | "unreachable"
  | "unauthorized"
  | "silent"
  | "protocol"
  | "lost"
  | "refused"
  | "backlog"
  | "closed";

/** What the host says of something that it refuses. */
export interface Refusal {
  readonly code: FailureCode | TerminalFailureCode;
  readonly message: string;
  readonly retryable: boolean;
  /** Absent where no session was meant. */
  readonly sessionId?: string;
}

/** What went wrong between a client and the supervisor. `message` is for people; programs branch on `reason` and, where
 * something was refused, on `code`. */
export class SupervisorError extends Error {
  override readonly name = "SupervisorError";
  readonly reason: SupervisorFailure;
  /** Absent where the host refused nothing. */
  readonly code: Refusal["code"] | undefined;
  /** Whether the same request may succeed later, as far as that is known. */
  readonly retryable: boolean;
  readonly sessionId: string | undefined;

  constructor(
    reason: SupervisorFailure,
    message: string,
    { cause, refusal }: { readonly cause?: unknown; readonly refusal?: Refusal } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.code = refusal?.code;
    this.retryable = refusal?.retryable ?? reason === "backlog";
    this.sessionId = refusal?.sessionId;
  }

  static refused(refusal: Refusal): SupervisorError {
    return new SupervisorError("refused", refusal.message, { refusal });
  }
}
