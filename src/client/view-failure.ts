/** How the socket of a view ended, as far as that is known. */
export interface ViewEnd {
  /** The WebSocket close code. 1006 where there was none. */
  readonly code: number;
  /** The HTTP status with which it was refused. Browsers do not tell. */
  readonly status?: number;
}

/** Why a view ended, or could not be had.
 *
 * - `gone`: the terminal is not listed any more.
 * - `unsupported`: terminals of this scheme cannot be viewed; the message says how to get there.
 * - `unauthorised`: the publisher does not let in with the token that was presented. Browsers do not tell that from `lost`.
 * - `refused`: the publisher answers no such thing, or what manages the terminal said no. The message says which.
 * - `too_slow`: the viewer did not take what it was sent. It may come back.
 * - `lost`: the publisher stops, restarts or is unreachable, or the terminal's manager is: come back after a wait. */
export type ViewFailure = "gone" | "unsupported" | "unauthorised" | "refused" | "too_slow" | "lost";

const FAILURES: Readonly<Record<number, ViewFailure>> = {
  4403: "refused",
  4404: "gone",
  4405: "unsupported",
  4408: "too_slow",
};

const UNAUTHORISED = 401;

/** What is to be tried again later: there are too many connections. */
const TOO_MANY = 429;

/** A view ended before its terminal was closed. `message` is for people; programs branch on `reason`. */
export class ViewError extends Error {
  override readonly name = "ViewError";
  readonly reason: ViewFailure;
  /** The WebSocket close code. */
  readonly code: number;

  constructor(reason: ViewFailure, message: string, code: number) {
    super(message);
    this.reason = reason;
    this.code = code;
  }

  /** What an end means; `undefined` where the terminal was closed. `complaint`: what the publisher said before it. */
  static of({ code, status }: ViewEnd, complaint?: string): ViewError | undefined {
    if (code === 1000) return undefined;
    if (status !== undefined) {
      return new ViewError(refusalOf(status), `the publisher answers ${status}`, code);
    }
    const reason = FAILURES[code] ?? "lost";
    return new ViewError(reason, complaint ?? `the view ended with code ${code}`, code);
  }
}

function refusalOf(status: number): ViewFailure {
  if (status === UNAUTHORISED) return "unauthorised";
  return status < 500 && status !== TOO_MANY ? "refused" : "lost";
}
