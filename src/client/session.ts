import { PROTOCOL_VERSION } from "../contract/envelope.ts";
import { ERROR_MEANINGS, type ErrorBody } from "../contract/errors.ts";
import { type HelloResult, HelloUserResponse } from "../contract/hello.ts";
import { validationErrors } from "../contract/validation.ts";
import type { Cancel, Clock } from "./clock.ts";
import { type FailureReason, SubscriptionError } from "./failure.ts";
import { ANSWER_MS } from "./intervals.ts";
import { Lines } from "./lines.ts";
import { type Message, readMessage } from "./message.ts";
import { type Reply, Requests } from "./requests.ts";
import type { Link, LinkEnd, Transport } from "./transport.ts";

/** Why a session is over. */
export interface SessionEnd {
  readonly error: SubscriptionError;
  /** Whether dialing again cannot help. */
  readonly isPermanent: boolean;
  /** Whether the publisher said that it comes back at once. */
  readonly isRestart: boolean;
}

export interface SessionEvents {
  /** The publisher has answered the greeting; requests may be made. */
  greeted(publisher: HelloResult): void;
  /** A topic frame, unchecked but for its being one by its outer fields. */
  frame(topic: string, frame: object): void;
  /** A line was left out. `error` is there where it was a complaint about a request. */
  unreadable(message: string, error?: ErrorBody): void;
  /** Told once, and last. */
  ended(end: SessionEnd): void;
}

export interface SessionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly clientVersion: string | undefined;
}

/** The close code of a publisher that restarts (RFC 6455 registry, "Service Restart"). */
const SERVICE_RESTART = 1012;

/** What a WebSocket says of an end that came without a close code (RFC 6455, 7.1.5). */
const ABNORMAL_CLOSURE = 1006;

/** One connection from dialing to its end: greets, pairs replies with requests, hands out frames. */
export class Session {
  readonly #events: SessionEvents;
  readonly #requests: Requests;
  readonly #link: Link;
  readonly #greetingTimer: Cancel;
  readonly #clientVersion: string | undefined;
  #ended = false;
  #greeted = false;
  #restarting = false;

  /** Throws what the transport throws when it dials. */
  constructor({ transport, clock, clientVersion }: SessionOptions, events: SessionEvents) {
    this.#events = events;
    this.#clientVersion = clientVersion;
    this.#requests = new Requests(clock, (line) => this.#link.send(line));
    const lines = new Lines(
      (line) => this.#take(readMessage(line)),
      () => this.#take({ kind: "unreadable", message: "a line is longer than a frame may be" }),
    );
    this.#link = transport.connect({
      open: () => this.#greet(),
      text: (chunk) => lines.push(chunk),
      close: (end) => this.#end(this.#endOf(end)),
    });
    this.#greetingTimer = clock.schedule(ANSWER_MS, () =>
      this.drop("silent", `no connection and greeting within ${ANSWER_MS} ms`),
    );
  }

  get isGreeted(): boolean {
    return this.#greeted;
  }

  /** Makes a request. `answer` is called once, unless the session ends before. */
  request(
    op: string,
    args: Record<string, unknown>,
    withinMs: number,
    answer: (reply: Reply) => void,
  ): void {
    if (!this.#ended) this.#requests.make(op, args, withinMs, answer);
  }

  /** Ends it from this side, and tells so. */
  drop(reason: FailureReason, message: string): void {
    const error = new SubscriptionError(reason, message);
    this.#end({ error, isPermanent: false, isRestart: false });
  }

  /** Ends it and tells nobody. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#greetingTimer();
    this.#requests.clear();
    this.#link.close();
  }

  #end(end: SessionEnd): void {
    if (this.#ended) return;
    this.close();
    this.#events.ended(end);
  }

  #greet(): void {
    if (this.#ended) return;
    const version = this.#clientVersion;
    const args = {
      protocol_version: PROTOCOL_VERSION,
      ...(version === undefined ? {} : { client_version: version }),
    };
    this.request("hello.user", args, ANSWER_MS, (reply) => this.#takeGreeting(reply));
  }

  #takeGreeting(reply: Reply): void {
    if (reply.outcome === "unanswered") return;
    const end = reply.outcome === "error" ? refusedGreeting(reply.error) : unusable(reply.body);
    if (end !== undefined) {
      this.#end(end);
      return;
    }
    if (reply.outcome !== "ok") return;
    this.#greeted = true;
    this.#greetingTimer();
    const { ok: _ok, request_id: _requestId, ...publisher } = reply.body;
    this.#events.greeted(publisher as unknown as HelloResult);
  }

  #take(message: Message): void {
    if (this.#ended) return;
    if (message.kind === "reply") this.#requests.settle(message.requestId, message.reply);
    else if (message.kind === "frame") this.#events.frame(message.topic, message.frame);
    else if (message.kind === "unreadable") {
      this.#events.unreadable(message.message, message.error);
    } else if (message.ev === "restarting") this.#restarting = true;
  }

  #endOf({ code, reason, permanent, error }: LinkEnd): SessionEnd {
    const isRestart = this.#restarting || code === SERVICE_RESTART;
    const shown = code === ABNORMAL_CLOSURE ? undefined : code;
    const said = [shown, reason, error?.message].filter(
      (part) => part !== undefined && part !== "",
    );
    const what = this.#greeted ? "the connection ended" : "no connection could be made";
    const message = said.length === 0 ? what : `${what}: ${said.join(" ")}`;
    const kind = permanent ?? (this.#greeted ? "lost" : "unreachable");
    return {
      error: new SubscriptionError(kind, message, error),
      isPermanent: permanent !== undefined,
      isRestart,
    };
  }
}

/** Why an answer to the greeting is of no use; `undefined` where it is. */
function unusable(body: Record<string, unknown>): SessionEnd | undefined {
  const permanent = (reason: FailureReason, message: string): SessionEnd => ({
    error: new SubscriptionError(reason, message),
    isPermanent: true,
    isRestart: false,
  });
  const theirs = body["protocol_version"];
  if (theirs !== PROTOCOL_VERSION) {
    const spoken = `the publisher speaks generation ${JSON.stringify(theirs)}`;
    return permanent("generation", `${spoken}, this client ${PROTOCOL_VERSION}`);
  }
  const [fault] = validationErrors(HelloUserResponse, body);
  if (fault === undefined) return undefined;
  const { path, message } = fault;
  return permanent("protocol", `the answer to the greeting does not fit: ${path}: ${message}`);
}

/** A greeting of ours is well formed and the first of its connection, so that `bad_request` is left with one
 * meaning: another generation. */
function refusedGreeting({ code, msg }: ErrorBody): SessionEnd {
  const isCredentials = code === "forbidden" || code.startsWith("auth_");
  const reason = isCredentials ? "unauthorized" : code === "bad_request" ? "generation" : "refused";
  return {
    error: new SubscriptionError(reason, `the publisher refused the greeting: ${code}: ${msg}`),
    isPermanent: ERROR_MEANINGS[code].retry === "never",
    isRestart: false,
  };
}
