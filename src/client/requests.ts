import type { ErrorBody } from "../contract/errors.ts";
import type { Cancel, Clock } from "./clock.ts";

/** What became of a request. */
export type Reply =
  | { readonly outcome: "ok"; readonly body: Record<string, unknown> }
  | { readonly outcome: "error"; readonly error: ErrorBody }
  | { readonly outcome: "unanswered" };

interface Waiting {
  readonly answer: (reply: Reply) => void;
  readonly timer: Cancel;
}

/** The requests that one connection has in flight. */
export class Requests {
  readonly #clock: Clock;
  readonly #send: (line: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  #made = 0;

  constructor(clock: Clock, send: (line: string) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Sends a request and calls `answer` once: with its reply, or as `unanswered` after `withinMs`. */
  make(
    op: string,
    args: Record<string, unknown>,
    withinMs: number,
    answer: (reply: Reply) => void,
  ): void {
    this.#made += 1;
    const requestId = String(this.#made);
    const timer = this.#clock.schedule(withinMs, () =>
      this.settle(requestId, { outcome: "unanswered" }),
    );
    this.#waiting.set(requestId, { answer, timer });
    this.#send(`${JSON.stringify({ op, request_id: requestId, ...args })}\n`);
  }

  /** Hands a reply to its request. One that nobody waits for, such as a late one, is dropped. */
  settle(requestId: string, reply: Reply): void {
    const waiting = this.#waiting.get(requestId);
    if (waiting === undefined) return;
    this.#waiting.delete(requestId);
    waiting.timer();
    waiting.answer(reply);
  }

  /** Forgets them all; none is answered. */
  clear(): void {
    for (const { timer } of this.#waiting.values()) timer();
    this.#waiting.clear();
  }
}
