import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import { runCall } from "./calls.ts";
import type { HostCall, HostResult } from "./messages.ts";

/** How many calls of one connection may be under way at once. */
export const MAX_CALLS = 256;

/** What a call came to. */
export type Outcome = { readonly result: HostResult } | { readonly error: string };

/** The calls of one connection that are under way. */
export class RunningCalls {
  readonly #host: Host;
  readonly #reply: (id: number, outcome: Outcome) => void;
  readonly #calls = new Map<number, AbortController>();

  constructor(host: Host, reply: (id: number, outcome: Outcome) => void) {
    this.#host = host;
    this.#reply = reply;
  }

  async start(id: number, call: HostCall): Promise<void> {
    if (this.#calls.has(id)) {
      this.#reply(id, { error: `the id ${id} is that of a call under way; give each its own` });
      return;
    }
    if (this.#calls.size >= MAX_CALLS) {
      this.#reply(id, { error: `${MAX_CALLS} calls are under way; try again when one has ended` });
      return;
    }
    const controller = new AbortController();
    this.#calls.set(id, controller);
    const outcome = await this.#outcome(call, controller.signal);
    // Before the reply: whoever reads that may use the number again.
    this.#calls.delete(id);
    this.#reply(id, outcome);
  }

  /** Ends a wait. What is done is done, and replied to. */
  cancel(id: number): void {
    this.#calls.get(id)?.abort(new HostError("cancelled", "the call was cancelled"));
  }

  end(): void {
    for (const id of this.#calls.keys()) this.cancel(id);
  }

  async #outcome(call: HostCall, signal: AbortSignal): Promise<Outcome> {
    try {
      return { result: await runCall(this.#host, call, signal) };
    } catch (error) {
      return { error: wordsOf(error) };
    }
  }
}

/** What is said of a failure. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
