import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeFrame, FrameReader } from "../../../src/host/channel/frames.ts";
import type {
  HostCall,
  HostResult,
  TerminalEvent,
  TerminalRequest,
} from "../../../src/host/channel/messages.ts";

/** What a call came to; `gone` where the connection ended first. */
export type Answer =
  | { readonly result: HostResult }
  | { readonly error: string }
  | { readonly gone: true };

/** A connection to the host that keeps nothing of what comes, so that an hour of them takes no memory here. */
export class Peer {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  /** Output is acknowledged in steps of so many bytes; 0 for never. */
  acknowledge = 64 * 1024;
  /** How much output came. */
  bytes = 0;
  /** Told of every event but replies. */
  heard: (event: TerminalEvent) => void = () => {};
  readonly #replies = new Map<number, (answer: Answer) => void>();
  #greeted = () => {};
  #untold = 0;
  #lastId = 0;

  private constructor(path: string) {
    // What the host has to say may be read after we have said all.
    this.socket = connect({ path, allowHalfOpen: true });
    const reader = new FrameReader();
    this.socket.on("error", () => {});
    this.socket.on("end", () => this.socket.end());
    this.socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        if (frame instanceof Uint8Array) this.#show(frame.length);
        else this.#take(frame as TerminalEvent);
      }
    });
    this.closed = once(this.socket, "close").then(() => {
      this.#greeted();
      for (const answer of this.#replies.values()) answer({ gone: true });
      this.#replies.clear();
    });
  }

  /** One that was greeted, or that the host would not have. */
  static async connect(path: string): Promise<Peer> {
    const peer = new Peer(path);
    await new Promise<void>((resolve) => {
      peer.#greeted = resolve;
    });
    return peer;
  }

  send(message: TerminalRequest | Uint8Array): void {
    if (this.socket.writable) this.socket.write(encodeFrame(message));
  }

  /** Begins a call and tells its id. */
  begin(call: HostCall): { readonly id: number; readonly answer: Promise<Answer> } {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Answer>((resolve) => {
      if (this.socket.closed) resolve({ gone: true });
      else this.#replies.set(id, resolve);
    });
    this.send({ type: "call", id, call });
    return { id, answer };
  }

  call(call: HostCall): Promise<Answer> {
    return this.begin(call).answer;
  }

  /** Sends so many bytes of a message, then cuts the connection. */
  async cut(message: TerminalRequest | Uint8Array, at: number): Promise<void> {
    if (this.socket.writable) {
      const part = encodeFrame(message).subarray(0, at);
      await new Promise<unknown>((resolve) => {
        this.socket.write(part, resolve);
      });
    }
    await this.leave();
  }

  async leave(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }

  #show(bytes: number): void {
    this.bytes += bytes;
    this.#untold += bytes;
    if (this.acknowledge === 0 || this.#untold < this.acknowledge) return;
    this.send({ type: "ack", bytes: this.#untold });
    this.#untold = 0;
  }

  #take(event: TerminalEvent): void {
    if (event.type === "hello") this.#greeted();
    if (event.type === "reply") {
      this.#replies.get(event.id)?.("result" in event ? event : { error: event.error });
      this.#replies.delete(event.id);
    } else this.heard(event);
  }
}
