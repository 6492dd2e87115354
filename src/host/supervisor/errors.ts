import type { TerminalFailureCode } from "./result-failure.ts";

/** What can be wrong with frames and greetings.
 *
 * - `io`: the connection failed.
 * - `encode`: a message could not be made JSON.
 * - `decode`: a frame holds no JSON, or no message.
 * - `frame_size`: a frame is empty, or longer than MAXIMUM_FRAME_BYTES.
 * - `invalid_hello`: a range of versions is none.
 * - `incompatible_version`: both sides have no version in common.
 * - `missing_capability`: a side cannot do what both must. */
export type ProtocolErrorKind =
  | "io"
  | "encode"
  | "decode"
  | "frame_size"
  | "invalid_hello"
  | "incompatible_version"
  | "missing_capability";

/** The two sides cannot understand each other. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly kind: ProtocolErrorKind;

  constructor(kind: ProtocolErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** An operation was asked for with something that it does not take: the answer is a `failure`. */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";
}

/** An operation cannot be done as things stand: the answer is a `terminal` response that is an error. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly code: TerminalFailureCode;

  constructor(code: TerminalFailureCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return this.code === "capacity_exceeded";
  }
}
