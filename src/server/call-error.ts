import { ERROR_CODES, type ErrorBody, type ErrorCode, ErrorReason } from "../contract/errors.ts";
import { isValid } from "../contract/validation.ts";

/** A call that is answered with a code of its own. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly reason?: string;

  constructor(code: ErrorCode, message: string, reason?: string) {
    super(message);
    if (reason !== undefined) this.reason = reason;
    this.name = "CallError";
    this.code = code;
  }
}

const codes: ReadonlySet<unknown> = new Set(ERROR_CODES);

/** What a call that threw is answered with: the code that the error names (any error may, so that lower
 * floors need not know this class), with its reason and what is in the way; else `internal_error` and no word of what
 * is inside. */
export function errorBody(error: unknown): ErrorBody {
  if (!(error instanceof Error) || !("code" in error) || !codes.has(error.code)) {
    return { code: "internal_error", msg: "the call failed inside the publisher" };
  }
  const { reason, program } = error as { readonly reason?: unknown; readonly program?: unknown };
  return {
    code: error.code as ErrorCode,
    msg: error.message,
    ...(isValid(ErrorReason, reason) && { reason }),
    ...(typeof program === "string" && { program }),
  };
}
