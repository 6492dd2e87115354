import { randomBytes } from "node:crypto";
import {
  createInbox,
  errors,
  type NatsConnection,
  type Subscription,
} from "@nats-io/transport-node";
import type { TerminalCall, TerminalOps } from "../../acting/ops/call.ts";
import { ErrorBody } from "../../contract/errors.ts";
import { isValid } from "../../contract/validation.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import { callSubject, inboxPrefix } from "../subjects.ts";
import { DistanceError, unreachable } from "./failure.ts";
import { SILENCE_MS, TAKE_UP_MS } from "./limits.ts";

/** What is sent to the owner: a call, or that nobody waits for the answer to one any more. */
export type CallMessage =
  | { readonly call: string; readonly from: string; readonly request: object }
  | { readonly call: string; readonly from: string; readonly abandoned: true };

/** What the owner sends back: that it is at it, or the answer. */
export type CallReply =
  | { readonly alive: true }
  | { readonly body: object }
  | { readonly error: ErrorBody };

export interface DistantOpsParts {
  readonly local: TerminalOps;
  readonly instance: string;
  readonly bucket: string;
  readonly clock: Clock;
  /** The connection, while it holds. */
  connection(): NatsConnection | undefined;
}

/** Does what requests about terminals ask for, wherever the terminals are: those of other instances are done by their owners, and
 * each is sent once. */
export class DistantTerminalOps implements TerminalOps {
  readonly #parts: DistantOpsParts;
  readonly #waiting = new Set<Waiting>();

  constructor(parts: DistantOpsParts) {
    this.#parts = parts;
  }

  async carryOut(call: TerminalCall, signal: AbortSignal): Promise<object> {
    const { local, instance } = this.#parts;
    const { to_instance: owner } = call.request;
    if (owner === undefined || owner === instance) return local.carryOut(call, signal);
    return this.#send(owner, call, signal);
  }

  get actsElsewhere(): boolean {
    return this.#parts.connection() !== undefined;
  }

  /** The connection is lost: what was asked may have been done, and nobody will say so. */
  disconnected(): void {
    for (const waiting of [...this.#waiting]) {
      waiting.fail("the connection was lost before it had answered; it may have been done");
    }
  }

  async #send(owner: string, { request }: TerminalCall, signal: AbortSignal): Promise<object> {
    const { instance, bucket, clock } = this.#parts;
    const connection = this.#parts.connection();
    if (connection === undefined) throw unreachable(owner, "the message bus is out of reach");
    signal.throwIfAborted();
    // No other of this instance, nor of one before it under the same id.
    const call = randomBytes(16).toString("hex");
    const subject = callSubject(bucket, owner);
    const hops = [...(request.hops ?? []), instance];
    // Whoever asks here was let in as a user; whatever the request says of itself.
    const caller = { role: "user" };
    const tell = (message: CallMessage, reply?: string) =>
      connection.publish(subject, JSON.stringify(message), reply === undefined ? {} : { reply });
    const waiting = new Waiting(connection, { owner, instance, clock });
    this.#waiting.add(waiting);
    const abandon = () => {
      waiting.fail("nobody waits for its answer any more");
      try {
        tell({ call, from: instance, abandoned: true });
      } catch {
        // The connection is being closed, with which the owner gives it up too.
      }
    };
    signal.addEventListener("abort", abandon, { once: true });
    try {
      const forwarded = { ...request, from_instance: instance, hops, caller };
      sent(owner, () => tell({ call, from: instance, request: forwarded }, waiting.inbox));
      return await waiting.answer;
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#waiting.delete(waiting);
      waiting.end();
    }
  }
}

/** Sends; throws a `DistanceError` where the bus does not take it. Then nothing was done. */
function sent(owner: string, send: () => void): void {
  try {
    send();
  } catch (error) {
    if (!(error instanceof errors.InvalidArgumentError)) {
      throw unreachable(owner, "the connection to the message bus is closed");
    }
    const msg = `the request is too long to be passed on to the instance ${owner}; nothing was done`;
    throw new DistanceError({ code: "invalid_args", msg });
  }
}

/** One call that is on its way. */
class Waiting {
  readonly inbox: string;
  readonly answer: Promise<object>;
  readonly #subscription: Subscription;
  readonly #clock: Clock;
  readonly #owner: string;
  #settle: { resolve(body: object): void; reject(error: Error): void };
  #silence: Cancel;

  constructor(
    connection: NatsConnection,
    { owner, instance, clock }: { owner: string; instance: string; clock: Clock },
  ) {
    this.#owner = owner;
    this.#clock = clock;
    this.#settle = { resolve() {}, reject() {} };
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.answer.catch(() => {});
    this.inbox = createInbox(inboxPrefix(instance));
    this.#subscription = connection.subscribe(this.inbox, {
      callback: (error, message) => {
        if (error !== null) this.fail(error.message);
        else if (message.headers?.code === 503) this.fail("it is not there");
        else this.#take(message.data);
      },
    });
    this.#silence = this.#patience(TAKE_UP_MS);
  }

  fail(why: string): void {
    this.#settle.reject(unreachable(this.#owner, why));
  }

  end(): void {
    this.#silence();
    this.#subscription.unsubscribe();
  }

  #take(bytes: Uint8Array): void {
    const reply = replyIn(bytes);
    if (reply === undefined) this.fail("it gave an answer that is none");
    else if ("body" in reply) this.#settle.resolve(reply.body);
    else if ("error" in reply) this.#settle.reject(new DistanceError(reply.error));
    else {
      this.#silence();
      this.#silence = this.#patience(SILENCE_MS);
    }
  }

  #patience(ms: number): Cancel {
    return this.#clock.schedule(ms, () => this.fail(`it said nothing for ${ms / 1_000} s`));
  }
}

function replyIn(bytes: Uint8Array): CallReply | undefined {
  let reply: unknown;
  try {
    reply = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof reply !== "object" || reply === null) return undefined;
  if ("alive" in reply) return { alive: true };
  if ("error" in reply) return isValid(ErrorBody, reply.error) ? { error: reply.error } : undefined;
  if (!("body" in reply) || typeof reply.body !== "object" || reply.body === null) return undefined;
  return { body: reply.body };
}
