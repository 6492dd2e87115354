import { MAX_OPERATIONS } from "../limits.ts";
import type { HostRequest, ToolOutput } from "../messages.ts";
import type { Link } from "./link.ts";
import { Turns } from "./turns.ts";

type Request = Extract<HostRequest, { kind: "terminal" }>;

/** The operations of one connection: as many at once as the host takes, the others after them. */
export class Operations {
  readonly #link: Link;
  readonly #turns = new Turns(MAX_OPERATIONS);

  constructor(link: Link) {
    this.#link = link;
  }

  /** Answers what the operation came to, done or not. One that is given up is cancelled in the host, and rejects with the
   * signal's reason. */
  make(request: Request, signal: AbortSignal | undefined): Promise<ToolOutput> {
    let isSent = false;
    const answer = this.#inTurn(request, () => {
      signal?.throwIfAborted();
      isSent = true;
    });
    if (signal === undefined) return answer;
    return new Promise((resolve, reject) => {
      const abort = () => {
        const { request_id } = request;
        if (isSent) this.#link.ask({ kind: "cancel", request_id }, "cancelled").catch(() => {});
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
      if (signal.aborted) abort();
    });
  }

  /** The turn is over with the answer, also where nobody waits for that any more. */
  async #inTurn(request: Request, begin: () => void): Promise<ToolOutput> {
    await this.#turns.take();
    try {
      begin();
      return (await this.#link.ask(request, "terminal")).output;
    } finally {
      this.#turns.give();
    }
  }
}
