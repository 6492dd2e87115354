import { randomBytes } from "node:crypto";
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import { type Static, Type } from "@sinclair/typebox";
import type { TerminalCall } from "../../acting/ops/call.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { InstanceId } from "../../contract/identifiers.ts";
import { isOpName, OP_ATTRIBUTES } from "../../contract/ops.ts";
import { OP_SCHEMAS } from "../../contract/schemas.ts";
import { isValid, validator } from "../../contract/validation.ts";
import type { Clock } from "../../time/clock.ts";
import { callSubject, inboxPrefix } from "../subjects.ts";
import type { CallReply } from "./calls.ts";
import { ALIVE_MS, MAX_CALLS, TAKE_UP_MS } from "./limits.ts";

const Message = Type.Object({
  call: Type.String({ minLength: 1, maxLength: 64 }),
  from: InstanceId,
  request: Type.Optional(Type.Object({}, { additionalProperties: true })),
  go: Type.Optional(Type.String()),
  abandoned: Type.Optional(Type.Literal(true)),
});
type Message = Static<typeof Message>;

/** The calls that come from one other instance: in order for each terminal, so many at once as one connection may have. */
export interface PeerCalls {
  /** Carries a call out, and gives the body of the reply or the error. Never rejects. */
  answer(
    call: TerminalCall,
    signal: AbortSignal,
  ): Promise<{ readonly body: object } | { readonly error: ErrorBody }>;
}

/** A call that was taken up. */
interface UnderWay {
  readonly message: Msg;
  /** Nobody waits for its answer any more. */
  readonly gone: AbortController;
  /** It is to be done, if that is what only the instance that asks was told. */
  go(ready: string): void;
}

export interface OwnerCallsParts {
  readonly instance: string;
  readonly bucket: string;
  readonly clock: Clock;
  callsFrom(instance: string): PeerCalls;
}

/** Answers calls about terminals here that come from other instances. */
export class OwnerCalls {
  readonly #parts: OwnerCallsParts;
  /** Those of whom calls are under way, and how many. */
  readonly #peers = new Map<string, { readonly peer: PeerCalls; calls: number }>();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #subscription: Subscription;

  constructor(connection: NatsConnection, parts: OwnerCallsParts) {
    this.#parts = parts;
    this.#subscription = connection.subscribe(callSubject(parts.bucket, parts.instance), {
      callback: (error, message) => {
        if (error === null) this.#take(message);
      },
    });
  }

  /** Nothing more is done for others. Those who wait for an answer are told so, where they can be. */
  end(why?: string): void {
    this.#subscription.unsubscribe();
    for (const { gone, message } of this.#underWay.values()) {
      if (why !== undefined) {
        reply(
          message,
          refused("instance_unreachable", `${why}; it may have been done`, "no_answer"),
        );
      }
      gone.abort();
    }
    this.#underWay.clear();
  }

  #take(message: Msg): void {
    const asked = messageIn(message.data);
    if (asked === undefined) return;
    const name = `${asked.from} ${asked.call}`;
    const { go, abandoned = false } = asked;
    if (go !== undefined || abandoned) {
      const underWay = this.#underWay.get(name);
      if (go !== undefined) underWay?.go(go);
      else underWay?.gone.abort();
      return;
    }
    // The bus lets an instance hear its own answers alone: who says that it is another one is not told how to go on.
    if (message.reply?.startsWith(`${inboxPrefix(asked.from)}.`) !== true) return;
    // The same call again is not done again.
    if (!this.#underWay.has(name)) void this.#answer(name, asked, message);
  }

  async #answer(name: string, { from, request = {} }: Message, message: Msg): Promise<void> {
    const checked = this.#checked(from, request);
    if ("error" in checked) {
      reply(message, checked);
      return;
    }
    if (this.#underWay.size >= MAX_CALLS) {
      const msg = `${MAX_CALLS} calls of other instances are under way here; try again later`;
      reply(message, refused("rate_limited", msg));
      return;
    }
    const gone = new AbortController();
    const ready = randomBytes(16).toString("hex");
    const isWanted = new Promise<boolean>((resolve) => {
      const go = (said: string) => (said === ready ? resolve(true) : undefined);
      this.#underWay.set(name, { gone, message, go });
      gone.signal.addEventListener("abort", () => resolve(false), { once: true });
    });
    const unwait = this.#parts.clock.schedule(TAKE_UP_MS, () => gone.abort());
    reply(message, { ready });
    const begins = await isWanted;
    unwait();
    if (!begins) {
      this.#underWay.delete(name);
      return;
    }
    const stop = every(this.#parts.clock, ALIVE_MS, () => reply(message, { alive: true }));
    try {
      const answer = await this.#ask(from, checked.call, gone.signal);
      if (!gone.signal.aborted) reply(message, answer);
    } finally {
      stop();
      this.#underWay.delete(name);
    }
  }

  async #ask(from: string, call: TerminalCall, signal: AbortSignal) {
    const asking = this.#peers.get(from) ?? { peer: this.#parts.callsFrom(from), calls: 0 };
    this.#peers.set(from, asking);
    asking.calls += 1;
    try {
      return await asking.peer.answer(call, signal);
    } finally {
      asking.calls -= 1;
      if (asking.calls === 0) this.#peers.delete(from);
    }
  }

  /** What another publisher has checked is checked again: who can write to the bus need not be one. */
  #checked(
    from: string,
    request: object,
  ): { readonly call: TerminalCall } | { readonly error: ErrorBody } {
    const { instance } = this.#parts;
    const { op } = request as { readonly op?: unknown };
    if (
      typeof op !== "string" ||
      !isOpName(op) ||
      OP_ATTRIBUTES[op].locality !== "owner_instance"
    ) {
      return refused("unknown_op", "only ops about terminals are done for other instances");
    }
    const check = validator(OP_SCHEMAS[op].request);
    if (!check.check(request)) {
      const [first] = check.errors(request);
      return refused("invalid_args", `${first?.path || "/"}: ${first?.message ?? "does not fit"}`);
    }
    if (request.from_instance !== from) {
      return refused("invalid_args", `/from_instance: must be ${from}`);
    }
    if (request.to_instance !== instance) {
      return refused("instance_unreachable", `this is the instance ${instance}`);
    }
    if (request.hops?.includes(instance)) {
      return refused("instance_unreachable", "the request has been at this instance before");
    }
    if (request.caller?.role !== "user") {
      return refused("forbidden", `\`${op}\` is for the role user`);
    }
    return { call: { op, request } as TerminalCall };
  }
}

function messageIn(bytes: Uint8Array): Message | undefined {
  try {
    const message: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isValid(Message, message) ? message : undefined;
  } catch {
    return undefined;
  }
}

const refused = (code: ErrorBody["code"], msg: string, reason?: string) => ({
  error: { code, msg, ...(reason === undefined ? {} : { reason }) },
});

function reply(message: Msg, answer: CallReply): void {
  try {
    message.respond(JSON.stringify(answer));
  } catch (error) {
    // It is too long for the bus, or the bus is gone.
    const msg = `the answer could not be sent: ${error instanceof Error ? error.message : error}`;
    if (!("error" in answer)) reply(message, refused("internal_error", msg));
  }
}

/** Does the task again and again, until what it answers is called. */
function every(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.schedule(ms, () => {
      task();
      next();
    });
  };
  next();
  return () => cancel();
}
