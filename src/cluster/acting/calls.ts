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
import { DistanceError, notAllowed, unanswered, unreachable } from "./failure.ts";
import { SILENCE_MS, TAKE_UP_MS } from "./limits.ts";

/** What is sent to the owner: a call; that it is to be done, once the owner is ready for it; that nobody waits for the answer any
 * more. Without the second the owner does nothing, and it has to come soon: what was on its way for longer than somebody waited
 * for it is never done. The second repeats what the owner told the instance that asks, and no other. */
export type CallMessage =
  | { readonly call: string; readonly from: string; readonly request: object }
  | { readonly call: string; readonly from: string; readonly go: string }
  | { readonly call: string; readonly from: string; readonly abandoned: true };

/** What the owner sends back: that it is ready, that it is at it, or the answer. */
export type CallReply =
  | { readonly ready: string }
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
      waiting.giveUp("the connection was lost");
    }
  }

  /** The bus does not let this instance write there. */
  refused(subject: string): void {
    for (const waiting of [...this.#waiting]) {
      if (waiting.subject === subject) waiting.refuse();
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
    const go = (ready: string) => attempted(() => tell({ call, from: instance, go: ready }));
    const waiting = new Waiting(connection, { owner, instance, subject, clock, go });
    this.#waiting.add(waiting);
    const abandon = () => waiting.giveUp("nobody waits for that any more");
    signal.addEventListener("abort", abandon, { once: true });
    try {
      const forwarded = { ...request, from_instance: instance, hops, caller };
      sent(owner, () => tell({ call, from: instance, request: forwarded }, waiting.inbox));
      return await waiting.answer;
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#waiting.delete(waiting);
      waiting.end();
      if (waiting.isOwed) attempted(() => tell({ call, from: instance, abandoned: true }));
    }
  }
}

/** Where the connection is being closed the owner gives it up by itself. */
function attempted(send: () => void): void {
  try {
    send();
  } catch {}
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

interface WaitingOptions {
  readonly owner: string;
  readonly instance: string;
  readonly subject: string;
  readonly clock: Clock;
  /** Tells the owner to do it. */
  go(ready: string): void;
}

/** One call that is on its way. */
class Waiting {
  /** Where it was sent. */
  readonly subject: string;
  readonly inbox: string;
  readonly answer: Promise<object>;
  /** Whether the owner may be at it. */
  isOwed = false;
  readonly #subscription: Subscription;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #go: (ready: string) => void;
  #settle: { resolve(body: object): void; reject(error: Error): void };
  #silence: Cancel;

  constructor(connection: NatsConnection, { owner, instance, subject, clock, go }: WaitingOptions) {
    this.#owner = owner;
    this.subject = subject;
    this.#clock = clock;
    this.#go = go;
    this.#settle = { resolve() {}, reject() {} };
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.answer.catch(() => {});
    this.inbox = createInbox(inboxPrefix(instance));
    this.#subscription = connection.subscribe(this.inbox, {
      callback: (error, message) => {
        if (error !== null) this.giveUp(error.message);
        else if (message.headers?.code === 503) this.giveUp("it is not there");
        else this.#take(message.data);
      },
    });
    this.#silence = this.#patience(TAKE_UP_MS);
  }

  refuse(): void {
    this.#settle.reject(notAllowed());
  }

  giveUp(why: string): void {
    const fault = this.isOwed ? unanswered : unreachable;
    this.#settle.reject(fault(this.#owner, why));
  }

  end(): void {
    this.#silence();
    this.#subscription.unsubscribe();
  }

  #take(bytes: Uint8Array): void {
    const reply = replyIn(bytes);
    if (reply === undefined) {
      this.giveUp("what it said is no answer");
      return;
    }
    if ("body" in reply || "error" in reply) {
      this.isOwed = false;
      if ("body" in reply) this.#settle.resolve(reply.body);
      else this.#settle.reject(new DistanceError(reply.error));
    } else {
      if ("ready" in reply) this.#begin(reply.ready);
      this.#silence();
      this.#silence = this.#patience(SILENCE_MS);
    }
  }

  #begin(ready: string): void {
    if (this.isOwed) return;
    this.isOwed = true;
    this.#go(ready);
  }

  #patience(ms: number): Cancel {
    return this.#clock.schedule(ms, () => this.giveUp(`it said nothing for ${ms / 1_000} s`));
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
  if ("ready" in reply && typeof reply.ready === "string") return { ready: reply.ready };
  if ("alive" in reply) return { alive: true };
  if ("error" in reply) return isValid(ErrorBody, reply.error) ? { error: reply.error } : undefined;
  if (!("body" in reply) || typeof reply.body !== "object" || reply.body === null) return undefined;
  return { body: reply.body };
}
