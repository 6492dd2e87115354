import { MAX_FRAME_BYTES } from "../contract/envelope.ts";
import type { ErrorBody } from "../contract/errors.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import type { TerminalOpName } from "../contract/ops.ts";
import { OP_SCHEMAS } from "../contract/schemas.ts";
import { validationErrors } from "../contract/validation.ts";
import { CallError } from "./call-failure.ts";
import type { Session } from "./session.ts";
import type { Status } from "./status.ts";

/** What an `AbortSignal` has that is needed here. Importers need the types of neither browsers nor Node.js. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(
    type: "abort",
    listener: () => void,
    options?: { readonly once?: boolean },
  ): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** How a call is made. */
export interface CallOptions {
  /** Whose terminal it is. Absent: the publisher's own. Another one's is reached where the two share their rows. */
  readonly instance?: InstanceId;
  /** How long its answer is waited for, in milliseconds. Default 30000; of a read that waits so much more than that. */
  readonly timeoutMs?: number;
  /** An `AbortSignal`. Gives up waiting for the answer: the call rejects as one that may have been done. */
  readonly signal?: CancelSignal;
}

/** How long an answer is waited for, in milliseconds: a host may have to be started. */
export const CALL_MS = 30_000;

/** What the op and the envelope of a request take in a line, in bytes at most. */
const ENVELOPE_BYTES = 256;

/** A call that has not been answered. */
interface Pending {
  readonly key: string | undefined;
  /** Sends it; what it may do is unknown from then on. */
  begin(session: Session): void;
  reject(error: CallError): void;
}

/** The calls of one connection that is kept. Each is sent once: one that was on its way when the connection ended is never
 * sent again, since what it does may have been done. */
export class Calls {
  readonly #status: () => Status;
  #session: Session | undefined;
  /** Those that wait for the first greeting. */
  readonly #waiting = new Set<Pending>();
  readonly #sent = new Set<Pending>();

  constructor(status: () => Status) {
    this.#status = status;
  }

  /** Requests may be made of the session. */
  begin(session: Session): void {
    this.#session = session;
    for (const pending of this.#waiting) {
      // One may end the session.
      if (this.#session === undefined) break;
      this.#waiting.delete(pending);
      this.#send(pending, session);
    }
  }

  /** The session is over. */
  end(): void {
    this.#session = undefined;
    for (const { reject, key } of this.#sent) {
      reject(
        new CallError("unknown", "the connection ended before the answer: it may have been done", {
          key,
        }),
      );
    }
  }

  /** How the connection stands has changed: those that wait for one that does not come are given up. */
  changed({ state }: Status): void {
    if (state === "connecting" || state === "live" || state === "stale") return;
    for (const { reject, key } of this.#waiting) reject(notSent(this.#status(), key));
  }

  async make(
    op: TerminalOpName,
    args: Readonly<Record<string, unknown>>,
    { timeoutMs = CALL_MS, signal, instance }: CallOptions,
  ): Promise<Record<string, unknown>> {
    const asked = instance === undefined ? args : { ...args, to_instance: instance };
    const key = typeof args["key"] === "string" ? args["key"] : undefined;
    if (signal?.aborted === true) throw new CallError("not_sent", "the call was given up", { key });
    requireShort(asked, key);
    let giveUp = () => {};
    let pending: Pending | undefined;
    try {
      return await new Promise((resolve, reject) => {
        pending = {
          key,
          reject,
          begin: (session) =>
            session.request(op, asked, timeoutMs, (reply) => {
              if (reply.outcome === "error") {
                const { code, msg } = reply.error;
                const message = `${op}: ${code}: ${msg}`;
                const outcome = isUnanswered(reply.error) ? "unknown" : "refused";
                reject(new CallError(outcome, message, { error: reply.error, key }));
              } else if (reply.outcome === "unanswered") {
                const message = `${op} was not answered within ${timeoutMs} ms: it may have been done`;
                reject(new CallError("unknown", message, { key }));
              } else resolve(reply.body);
            }),
        };
        const call = pending;
        giveUp = () => {
          const outcome = this.#sent.has(call) ? "unknown" : "not_sent";
          reject(new CallError(outcome, "the call was given up", { key }));
        };
        signal?.addEventListener("abort", giveUp, { once: true });
        if (this.#session !== undefined) this.#send(call, this.#session);
        else if (this.#status().state === "connecting") this.#waiting.add(call);
        else reject(notSent(this.#status(), key));
      }).then((body) => fitting(op, body as Record<string, unknown>, key));
    } finally {
      signal?.removeEventListener("abort", giveUp);
      if (pending !== undefined) {
        this.#waiting.delete(pending);
        this.#sent.delete(pending);
      }
    }
  }

  #send(pending: Pending, session: Session): void {
    this.#sent.add(pending);
    pending.begin(session);
  }
}

/** The publisher has passed it on, and the instance that owns the terminal gave no answer. */
const isUnanswered = ({ code, reason }: ErrorBody) =>
  code === "instance_unreachable" && reason === "no_answer";

function notSent(status: Status, key: string | undefined): CallError {
  const why = "error" in status ? `: ${status.error.message}` : "";
  return new CallError("not_sent", `there is no connection${why}; nothing was done`, { key });
}

/** A line that is too long is answered without saying which request it was. */
function requireShort(args: Readonly<Record<string, unknown>>, key: string | undefined): void {
  const bytes = new TextEncoder().encode(JSON.stringify(args)).length + ENVELOPE_BYTES;
  if (bytes <= MAX_FRAME_BYTES) return;
  const message = `a request must be at most ${MAX_FRAME_BYTES} bytes, got about ${bytes}; nothing was done`;
  throw new CallError("not_sent", message, { key });
}

function fitting(
  op: TerminalOpName,
  body: Record<string, unknown>,
  key: string | undefined,
): Record<string, unknown> {
  const [fault] = validationErrors(OP_SCHEMAS[op].response, body);
  if (fault === undefined) return body;
  const message = `the answer to ${op} does not fit: ${fault.path}: ${fault.message}`;
  throw new CallError("unknown", message, { key });
}
