import { randomUUID } from "node:crypto";
import type { HostCall, TerminalInfo, TerminalRead } from "../channel/messages.ts";
import type { CallOptions, Calls, ResultOf } from "./calls.ts";

/** What a call states beside its session. A `key` is made where none is given; give one to make a call again whose
 * outcome was not heard of. */
export type Fields<Op extends HostCall["op"]> = Omit<
  Extract<HostCall, { op: Op }>,
  "op" | "sessionId" | "key"
> &
  (Extract<HostCall, { op: Op }> extends { key: string } ? { readonly key?: string } : unknown);

/** The calls about the terminals of one session. Each rejects with a ChannelError; with `refused` where the host says
 * no. */
export class SessionCalls {
  readonly sessionId: string;
  readonly #calls: Calls;

  constructor(sessionId: string, calls: Calls) {
    this.sessionId = sessionId;
    this.#calls = calls;
  }

  /** Its terminals, each with the program that is in front of its shell. */
  async list(options: CallOptions = {}): Promise<ResultOf<"list">["windows"]> {
    const { sessionId } = this;
    return (await this.#calls.make<"list">({ op: "list", sessionId }, options)).windows;
  }

  /** Opens a terminal, marked as an agent's. */
  async open(fields: Fields<"open">, options: CallOptions = {}): Promise<TerminalInfo> {
    const call = { op: "open", ...this.#keyed(), ...fields } as const;
    return (await this.#calls.make<"open">(call, options)).terminal;
  }

  /** Types keys and text. */
  async send(fields: Fields<"send">, options: CallOptions = {}): Promise<void> {
    await this.#calls.make<"send">({ op: "send", ...this.#keyed(), ...fields }, options);
  }

  /** Up to where a terminal has been read. */
  async cursor(fields: Fields<"cursor">, options: CallOptions = {}): Promise<ResultOf<"cursor">> {
    return this.#calls.make<"cursor">({ op: "cursor", ...this.#owned(), ...fields }, options);
  }

  /** Reads output as text, after a wait where one is asked for. */
  async read(fields: Fields<"read">, options: CallOptions = {}): Promise<TerminalRead> {
    const call = { op: "read", ...this.#owned(), ...fields } as const;
    const { kind: _, ...read } = await this.#calls.make<"read">(call, options);
    return read;
  }

  /** The screen as text. */
  async capture(
    fields: Fields<"capture">,
    options: CallOptions = {},
  ): Promise<ResultOf<"capture">> {
    return this.#calls.make<"capture">({ op: "capture", ...this.#owned(), ...fields }, options);
  }

  /** Ends a terminal and takes it away, whatever runs in it. */
  async close(fields: Fields<"close">, options: CallOptions = {}): Promise<string> {
    const call = { op: "close", ...this.#keyed(), ...fields } as const;
    return (await this.#calls.make<"close">(call, options)).terminalId;
  }

  /** Ends all its terminals. */
  async closeSession(options: CallOptions = {}): Promise<void> {
    await this.#calls.make<"closeSession">({ op: "closeSession", ...this.#owned() }, options);
  }

  async rename(fields: Fields<"rename">, options: CallOptions = {}): Promise<TerminalInfo> {
    const call = { op: "rename", ...this.#owned(), ...fields } as const;
    return (await this.#calls.make<"rename">(call, options)).terminal;
  }

  async signal(fields: Fields<"signal">, options: CallOptions = {}): Promise<void> {
    await this.#calls.make<"signal">({ op: "signal", ...this.#owned(), ...fields }, options);
  }

  async resize(fields: Fields<"resize">, options: CallOptions = {}): Promise<TerminalInfo> {
    const call = { op: "resize", ...this.#owned(), ...fields } as const;
    return (await this.#calls.make<"resize">(call, options)).terminal;
  }

  #owned(): { readonly sessionId: string } {
    return { sessionId: this.sessionId };
  }

  #keyed(): { readonly sessionId: string; readonly key: string } {
    return { sessionId: this.sessionId, key: randomUUID() };
  }
}
