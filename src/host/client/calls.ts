import type { HostCall, HostResult, TerminalEvent, TerminalRequest } from "../channel/messages.ts";
import { ChannelError } from "./failure.ts";

/** The kinds of result that each call has. */
const RESULT_KINDS = {
  list: ["list"],
  open: ["terminal"],
  send: ["done", "terminal"],
  cursor: ["cursor"],
  read: ["read"],
  capture: ["capture"],
  close: ["closed"],
  closeSession: ["done"],
  rename: ["terminal"],
  signal: ["done", "terminal"],
  resize: ["terminal"],
} as const satisfies Record<HostCall["op"], readonly HostResult["kind"][]>;

/** What a call of that op comes to. */
export type ResultOf<Op extends HostCall["op"]> = Extract<
  HostResult,
  { kind: (typeof RESULT_KINDS)[Op][number] }
>;

export interface CallOptions {
  /** Ends the wait: the host is told to stop, and the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly kinds: readonly HostResult["kind"][];
  resolve(result: HostResult): void;
  reject(error: unknown): void;
}

/** The calls of one connection that wait for their replies. */
export class Calls {
  readonly #send: (request: TerminalRequest) => void;
  readonly #waiting = new Map<number, Waiting>();
  #made = 0;
  #ended: ChannelError | undefined;

  constructor(send: (request: TerminalRequest) => void) {
    this.#send = send;
  }

  async make<Op extends HostCall["op"]>(
    call: Extract<HostCall, { op: Op }>,
    { signal }: CallOptions,
  ): Promise<ResultOf<Op>> {
    signal?.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended;
    this.#made += 1;
    const id = this.#made;
    const kinds: readonly HostResult["kind"][] = RESULT_KINDS[call.op];
    let abort = () => {};
    try {
      const result = await new Promise<HostResult>((resolve, reject) => {
        this.#waiting.set(id, { kinds, resolve, reject });
        abort = () => {
          this.#send({ type: "cancel", id });
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        this.#send({ type: "call", id, call });
      });
      // Its kind is one of those of the op: `settle` lets no other through.
      return result as ResultOf<Op>;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Hands a reply to its call. One that nobody waits for, as of a call that was given up, is dropped. */
  settle(reply: Extract<TerminalEvent, { type: "reply" }>): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    if ("error" in reply) waiting.reject(new ChannelError("refused", reply.error));
    else if (waiting.kinds.includes(reply.result.kind)) waiting.resolve(reply.result);
    else {
      const why = `a result must be ${waiting.kinds.join(" or ")}, got ${reply.result.kind}`;
      waiting.reject(new ChannelError("protocol", why));
    }
  }

  /** None of them will be answered. */
  end(error: ChannelError): void {
    this.#ended = error;
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
