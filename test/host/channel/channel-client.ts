import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { encodeFrame, FrameReader } from "../../../src/host/channel/frames.ts";
import type {
  HostCall,
  HostResult,
  TerminalEvent,
  TerminalInfo,
  TerminalRequest,
} from "../../../src/host/channel/messages.ts";

/** A result of one kind. */
export type Kind<Name extends HostResult["kind"]> = Extract<HostResult, { kind: Name }>;
export type Named<Type extends TerminalEvent["type"]> = Extract<TerminalEvent, { type: Type }>;

interface Awaited {
  find(): boolean;
}

/** One connection to a host, with everything that came on it. */
export class ChannelClient {
  readonly socket: Socket;
  readonly events: TerminalEvent[] = [];
  /** Output in the order in which it came. */
  output = Buffer.alloc(0);
  /** How much output came in all; `output` may have been cut. */
  bytes = 0;
  /** How many frames came, those of output without any bytes too. */
  frames = 0;
  /** Whether output is acknowledged, in steps of so many bytes; 0 for never. */
  acknowledge = 64 * 1024;
  /** Whether output is kept. */
  keeps = true;
  isClosed = false;
  #untold = 0;
  #lastId = 0;
  #taken = 0;
  readonly #awaited = new Set<Awaited>();

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = new FrameReader();
    socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        this.frames += 1;
        if (frame instanceof Uint8Array) this.#show(frame);
        else this.events.push(frame as TerminalEvent);
      }
      this.#look();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isClosed = true;
      this.#look();
    });
    onTestFinished(() => {
      socket.destroy();
    });
  }

  static async connect(path: string): Promise<ChannelClient> {
    const client = new ChannelClient(connect(path));
    await client.next("hello");
    return client;
  }

  send(message: TerminalRequest | Uint8Array): void {
    this.socket.write(encodeFrame(message));
  }

  type(text: string): void {
    this.send(Buffer.from(text));
  }

  /** Resolves when it is so; looks whenever something has come. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const entry = {
        find: () => {
          if (!isSo()) return false;
          resolve();
          return true;
        },
      };
      if (!entry.find()) this.#awaited.add(entry);
    });
  }

  /** The next event of a type after the last that was taken, and such that it fits. */
  async next<Type extends TerminalEvent["type"]>(
    type: Type,
    fits: (event: Named<Type>) => boolean = () => true,
  ): Promise<Named<Type>> {
    const find = () =>
      this.events.findIndex(
        (event, index) => index >= this.#taken && event.type === type && fits(event as Named<Type>),
      );
    await this.until(() => find() >= 0 || this.isClosed);
    const at = find();
    if (at < 0) throw new Error(`the connection ended before ${type}`);
    this.#taken = at + 1;
    return this.events[at] as Named<Type>;
  }

  /** Resolves when the output has it. */
  async shows(text: string): Promise<void> {
    await this.until(() => this.output.includes(text));
  }

  async closed(): Promise<void> {
    await this.until(() => this.isClosed);
  }

  /** The reply, whatever it is. */
  async ask(call: HostCall, id = this.#nextId()): Promise<Named<"reply">> {
    this.send({ type: "call", id, call });
    let reply: Named<"reply"> | undefined;
    await this.until(() => {
      reply = this.events.find(
        (event): event is Named<"reply"> => event.type === "reply" && event.id === id,
      );
      return reply !== undefined || this.isClosed;
    });
    if (reply === undefined) throw new Error("the connection ended before the reply");
    return reply;
  }

  /** The result; throws what the host refused with. */
  async call(call: HostCall): Promise<HostResult> {
    const reply = await this.ask(call);
    if ("result" in reply) return reply.result;
    throw new Error(reply.error);
  }

  async read(call: Omit<Extract<HostCall, { op: "read" }>, "op">): Promise<Kind<"read">> {
    return (await this.call({ op: "read", ...call })) as Kind<"read">;
  }

  /** Opens a terminal that runs a shell script, as a call. */
  async script(sessionId: string, text: string, more: object = {}): Promise<TerminalInfo> {
    const result = await this.call({
      op: "open",
      sessionId,
      key: `open ${this.#nextId()} ${Math.random()}`,
      cwd: "/",
      env: null,
      exec: ["/bin/sh", "-c", text],
      cols: 80,
      rows: 24,
      ...more,
    });
    return (result as Kind<"terminal">).terminal;
  }

  async attach(terminalId: string, readOnly?: true): Promise<TerminalInfo> {
    this.send({ type: "attach", terminalId, ...(readOnly ? { readOnly } : {}) });
    return (await this.next("attached")).terminal;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #show(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.keeps) this.output = Buffer.concat([this.output, bytes]);
    this.#untold += bytes.length;
    if (this.acknowledge === 0 || this.#untold < this.acknowledge) return;
    this.send({ type: "ack", bytes: this.#untold });
    this.#untold = 0;
  }

  #look(): void {
    for (const entry of this.#awaited) if (entry.find()) this.#awaited.delete(entry);
  }
}
