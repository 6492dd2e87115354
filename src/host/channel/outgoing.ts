import type { Socket } from "node:net";
import { FrameMemory } from "./frame-memory.ts";
import { encodeBytes, encodeFrame, frameLength } from "./frames.ts";
import { MAX_BACKLOG } from "./limits.ts";
import type { TerminalEvent, TerminalInfo } from "./messages.ts";
import { type Outcome, wordsOf } from "./running-calls.ts";

/** How much output goes in one frame at most, in bytes. */
export const OUTPUT_BYTES = 64 * 1024;

/** All connections' memory for output. */
const memory = new FrameMemory(frameLength(OUTPUT_BYTES));

/** What one connection is sent. */
export class Outgoing {
  readonly #socket: Socket;
  readonly #overflow: () => void;
  #ended = false;

  /** `overflow`: more waits than may, so that the connection has to end. */
  constructor(socket: Socket, overflow: () => void) {
    this.#socket = socket;
    this.#overflow = overflow;
  }

  /** Bytes that wait. */
  get buffered(): number {
    return this.#socket.writableLength;
  }

  /** Nothing is sent any more. */
  end(): void {
    this.#ended = true;
  }

  /** Throws a RangeError where it is more than a frame holds. */
  send(event: TerminalEvent): void {
    this.#write(encodeFrame(event));
  }

  output(bytes: Uint8Array): void {
    const frame = encodeBytes(bytes, (length) => memory.take(length));
    // After an error it may still be on its way.
    this.#write(frame, (error) => {
      if (!error) memory.giveBack(frame);
    });
  }

  fail(message: string): void {
    this.send({ type: "error", message });
  }

  reply(id: number, outcome: Outcome): void {
    try {
      this.send({ type: "reply", id, ...outcome });
    } catch (error) {
      this.send({ type: "reply", id, error: `the result cannot be sent: ${wordsOf(error)}` });
    }
  }

  list(type: "list" | "terminals", terminals: TerminalInfo[]): void {
    try {
      this.send({ type, terminals });
    } catch (error) {
      this.fail(`the terminals of the session cannot be listed: ${wordsOf(error)}`);
    }
  }

  #write(frame: Buffer, taken?: (error?: Error | null) => void): void {
    if (this.#ended || !this.#socket.writable) return;
    this.#socket.write(frame, taken);
    // Who asks and does not read the answers.
    if (this.buffered > MAX_BACKLOG) this.#overflow();
  }
}
