import type { TerminalCall } from "../acting/ops/call.ts";
import type { Role } from "../contract/identifiers.ts";
import { TOPIC_ATTRIBUTES, topicKind } from "../contract/topics.ts";
import type { Begin, Reader } from "../topics/reader.ts";
import { CallError } from "./call-error.ts";
import type { Accepted } from "./dispatch.ts";
import { Greeting, helloResult, requireGeneration } from "./greeting.ts";
import type { CarrierKind } from "./metrics.ts";
import type { Services } from "./services.ts";
import { TerminalCalls } from "./terminal-calls.ts";

/** What a call is answered with, and what happens in the same step once the answer is written. */
export interface Answer {
  readonly body: object;
  readonly afterwards?: () => void;
}

/** The connection that calls come in on. */
export interface Caller {
  readonly reader: Reader;
  readonly carrier: CarrierKind;
  /** Whether it was let in to look and not to act. */
  readonly isReadOnly: boolean;
}

/** The calls of one connection: what each op does. */
export class Calls {
  readonly #services: Services;
  readonly #caller: Caller;
  readonly #terminals: TerminalCalls;
  readonly #greeting = new Greeting();

  constructor(services: Services, caller: Caller) {
    this.#services = services;
    this.#caller = caller;
    this.#terminals = new TerminalCalls(services, caller.carrier);
  }

  /** Undefined until the peer has greeted. */
  get role(): Role | undefined {
    return this.#greeting.role;
  }

  /** Carries a call out. Rejects with a `CallError` where the answer is one. */
  answer(call: Accepted): Promise<Answer> {
    switch (call.op) {
      case "hello.user":
        return this.#greet("user", call.request.protocol_version);
      case "hello.session":
        return this.#greet("session", call.request.protocol_version);
      case "hello.instance":
        return this.#greet("instance", call.request.protocol_version);
      case "instance.ping":
        return Promise.resolve({ body: this.#services.ping() });
      case "topic.subscribe":
        return this.#subscribe(call.request.topic);
      case "topic.unsubscribe":
        return this.#unsubscribe(call.request.topic);
      default:
        return this.#onTerminal(call);
    }
  }

  /** Nobody waits for answers any more. */
  end(): void {
    this.#terminals.end();
  }

  async #onTerminal(call: TerminalCall): Promise<Answer> {
    return { body: await this.#terminals.answer(call) };
  }

  async #greet(role: Role, generation: number): Promise<Answer> {
    this.#greeting.claim();
    try {
      requireGeneration(generation);
      if (role === "instance") {
        throw new CallError("capability_unavailable", "this instance is in no mesh");
      }
    } catch (error) {
      this.#greeting.giveBack();
      throw error;
    }
    return {
      body: helloResult(this.#services.identity, this.#caller.isReadOnly),
      afterwards: () => this.#greeting.settle(role),
    };
  }

  async #subscribe(topic: string): Promise<Answer> {
    const kind = topicKind(topic);
    if (kind === undefined) throw new CallError("topic_unknown", "there is no such topic");
    const { roles }: { readonly roles: readonly Role[] } = TOPIC_ATTRIBUTES[kind];
    const { role } = this.#greeting;
    if (role === undefined || !roles.includes(role)) {
      throw new CallError("forbidden", `\`${kind}\` is for the role ${roles.join(" or ")}`);
    }
    if (!this.#services.hub.offers(topic)) {
      throw new CallError("capability_unavailable", `nothing here is behind \`${topic}\``);
    }
    const begin: Begin = await this.#caller.reader.open(topic);
    return { body: { topic }, afterwards: begin };
  }

  async #unsubscribe(topic: string): Promise<Answer> {
    if (topicKind(topic) === undefined) {
      throw new CallError("topic_unknown", "there is no such topic");
    }
    this.#caller.reader.close(topic);
    return { body: { topic } };
  }
}
