import { connect, type Socket } from "node:net";
import { type Cancel, type Clock, hostClock } from "../../client/clock.ts";
import { CorruptFrame, encodeFrame, FrameReader } from "../channel/frames.ts";
import { MAX_BACKLOG } from "../channel/limits.ts";
import type { TerminalEvent, TerminalRequest } from "../channel/messages.ts";
import { parseEvent } from "../channel/parse.ts";
import { ChannelError } from "./failure.ts";

/** How long the host may take to greet, in milliseconds. */
const GREETING_MS = 5_000;

/** How long the host may take to read what was sent last, in milliseconds, before the socket is cut. */
const CLOSE_MS = 1_000;

/** How much input goes in one frame, in bytes. */
const INPUT_FRAME_BYTES = 64 * 1024;

/** Where the host is, and how it is dialed. */
export interface DialOptions {
  /** The host's socket for this dialect, `channel.sock` in its runtime folder. */
  readonly path: string;
  /** How long the host may take to greet, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Gives up the dialing. */
  readonly signal?: AbortSignal;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
}

/** What a host says of itself when somebody connects. */
export type Hello = Extract<TerminalEvent, { type: "hello" }>;

/** Told what comes in, in the order in which it does. */
export interface LinkEvents {
  event(event: TerminalEvent): void;
  bytes(bytes: Uint8Array): void;
  /** The connection ended, and not by `close`. Last. */
  end(error: ChannelError): void;
}

/** One connection that the host has greeted. */
export class Link {
  readonly hello: Hello;
  readonly #dialed: Dialed;
  /** One for all who wait. */
  #drained: Promise<void> | undefined;

  constructor(hello: Hello, dialed: Dialed) {
    this.hello = hello;
    this.#dialed = dialed;
  }

  send(request: TerminalRequest): void {
    this.#dialed.write(encodeFrame(request));
  }

  /** Sends input. Answers whether the host takes it as fast as it comes; where it does not, more is better kept until
   * `drained`. Throws where MAX_BACKLOG waits. */
  write(bytes: Uint8Array): boolean {
    const { socket } = this.#dialed;
    if (socket.writableLength + bytes.length > MAX_BACKLOG) {
      throw new ChannelError(
        "backlog",
        `the host has yet to read ${socket.writableLength} bytes, so ${bytes.length} more are too many; wait until it has`,
      );
    }
    for (let at = 0; at < bytes.length; at += INPUT_FRAME_BYTES) {
      this.#dialed.write(encodeFrame(bytes.subarray(at, at + INPUT_FRAME_BYTES)));
    }
    return !socket.writableNeedDrain;
  }

  /** Resolves once the host takes more, or there is no connection. */
  drained(): Promise<void> {
    const { socket } = this.#dialed;
    if (!socket.writableNeedDrain || socket.destroyed) return Promise.resolve();
    this.#drained ??= new Promise((resolve) => {
      const done = () => {
        socket.off("drain", done);
        socket.off("close", done);
        this.#drained = undefined;
        resolve();
      };
      socket.on("drain", done);
      socket.on("close", done);
    });
    return this.#drained;
  }

  /** Ends the connection once what was sent has left. Nothing is told any more. */
  close(): void {
    this.#dialed.close();
  }
}

/** Connects and waits for the greeting. Rejects with a ChannelError, or the signal's reason. */
export function dial(options: DialOptions, events: LinkEvents): Promise<Link> {
  options.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const dialed = new Dialed(options, events, (hello) => resolve(new Link(hello, dialed)), reject);
  });
}

/** A socket on its way to be a link, and then the link's. */
class Dialed {
  readonly socket: Socket;
  readonly #clock: Clock;
  readonly #events: LinkEvents;
  readonly #greeted: (hello: Hello) => void;
  readonly #failed: (error: unknown) => void;
  readonly #reader = new FrameReader({ pieces: true });
  readonly #stopWaiting: Cancel;
  #isGreeted = false;
  #hasEnded = false;

  constructor(
    { path, timeoutMs = GREETING_MS, signal, clock = hostClock }: DialOptions,
    events: LinkEvents,
    greeted: (hello: Hello) => void,
    failed: (error: unknown) => void,
  ) {
    this.#clock = clock;
    this.#events = events;
    this.#greeted = greeted;
    this.#failed = failed;
    this.socket = connect(path);
    const tooLate = clock.schedule(timeoutMs, () =>
      this.#end(
        new ChannelError("silent", `the host at ${path} has not greeted in ${timeoutMs} ms`),
      ),
    );
    const abort = () => this.#end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#stopWaiting = () => {
      tooLate();
      signal?.removeEventListener("abort", abort);
    };
    let cause: NodeJS.ErrnoException | undefined;
    this.socket.on("error", (error) => {
      cause ??= error;
    });
    this.socket.on("data", (chunk) => this.#take(chunk as Buffer));
    this.socket.on("close", () => this.#end(endOf(path, this.#isGreeted, cause)));
  }

  write(frame: Buffer): void {
    if (this.socket.writable) this.socket.write(frame);
  }

  close(): void {
    this.#hasEnded = true;
    this.socket.resume();
    this.socket.end();
    const cut = this.#clock.schedule(CLOSE_MS, () => this.socket.destroy());
    this.socket.once("close", cut);
  }

  #take(chunk: Buffer): void {
    if (this.#hasEnded) return;
    try {
      for (const frame of this.#reader.push(chunk)) {
        this.#takeFrame(frame);
        // Whoever was told may have closed.
        if (this.#hasEnded) return;
      }
    } catch (error) {
      if (!(error instanceof CorruptFrame)) throw error;
      this.#refuse(error.message);
    }
  }

  #takeFrame(frame: unknown): void {
    if (frame instanceof Uint8Array) {
      if (this.#isGreeted) this.#events.bytes(frame);
      else this.#refuse("output came before the greeting");
      return;
    }
    const parsed = parseEvent(frame);
    // A newer host may say more than is known here.
    if (parsed === undefined) return;
    if ("fault" in parsed) this.#refuse(parsed.fault);
    else if (this.#isGreeted) this.#events.event(parsed.event);
    else this.#greet(parsed.event);
  }

  #greet(event: TerminalEvent): void {
    if (event.type !== "hello") {
      this.#refuse(`${event.type} came before the greeting`);
      return;
    }
    this.#isGreeted = true;
    this.#stopWaiting();
    this.#greeted(event);
  }

  #refuse(why: string): void {
    this.#end(new ChannelError("protocol", `what answers is no terminal host: ${why}`));
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopWaiting();
    this.socket.destroy();
    if (!this.#isGreeted) this.#failed(error);
    else if (error instanceof ChannelError) this.#events.end(error);
  }
}

function endOf(path: string, isGreeted: boolean, cause?: NodeJS.ErrnoException): ChannelError {
  if (isGreeted)
    return new ChannelError("lost", `the connection to the host at ${path} ended`, cause);
  if (cause?.code === "EACCES" || cause?.code === "EPERM") {
    return new ChannelError("unauthorized", `the socket ${path} may not be opened`, cause);
  }
  const why = cause === undefined ? "it closed the connection" : cause.message;
  return new ChannelError("unreachable", `no terminal host answers at ${path}: ${why}`, cause);
}
