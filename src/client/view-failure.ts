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
 * - `refused`: the publisher does not let in with what was presented.
 * - `away`: the publisher stops, restarts or is unreachable, or the terminal's manager is: try again after a wait.
 * - `too_slow`: the viewer did not take what it was sent. */
export type ViewFailure = "gone" | "unsupported" | "refused" | "away" | "too_slow";

const FAILURES: Readonly<Record<number, ViewFailure>> = {
  4404: "gone",
  4405: "unsupported",
  4408: "too_slow",
};

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
    if (status !== undefined && status < 500) {
      return new ViewError("refused", `the publisher answers ${status}`, code);
    }
    const reason = FAILURES[code] ?? "away";
    return new ViewError(reason, complaint ?? `the view ended with code ${code}`, code);
  }
}
