import { connect, type Socket } from "node:net";
import { type Cancel, type Clock, hostClock } from "../../../client/clock.ts";
import { isValid } from "../../../contract/validation.ts";
import { ProtocolError } from "../errors.ts";
import { encodeFrame, FrameReader } from "../frames.ts";
import { MAXIMUM_FRAME_BYTES } from "../limits.ts";
import { type HostRequest, HostResponse } from "../messages.ts";
import { type Answer, Answers } from "./answers.ts";
import { SupervisorError } from "./failure.ts";

/** How long the host may take to be there, in milliseconds. */
const CONNECT_MS = 5_000;

/** How long the host may take to read what was sent last, in milliseconds, before the socket is cut. */
const CLOSE_MS = 1_000;

/** How many bytes may wait for the host to read them. */
const MAX_BACKLOG = 8 * MAXIMUM_FRAME_BYTES;

/** How many answers may be waited for. */
const MAX_WAITING = 1_000;

/** Where the supervisor is, and how it is dialed. */
export interface DialOptions {
  /** The host's socket for this dialect, `supervisor.sock` in its runtime folder. */
  readonly path: string;
  /** How long the host may take to greet, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Gives up the dialing. */
  readonly signal?: AbortSignal;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
}

/** One connection to the supervisor. What comes that is no answer ends it, and no other. */
export class Link {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #socket: Socket;
  readonly #answers = new Answers();
  readonly #told: (error: SupervisorError) => void;
  #isOver = false;

  private constructor(
    { path, clock = hostClock }: DialOptions,
    socket: Socket,
    told: (error: SupervisorError) => void,
  ) {
    this.#path = path;
    this.#clock = clock;
    this.#socket = socket;
    this.#told = told;
    const reader = new FrameReader();
    let cause: Error | undefined;
    socket.on("error", (error) => {
      cause = error;
    });
    socket.on("data", (chunk: Buffer) => this.#take(reader, chunk));
    socket.on("close", () => {
      const why = `the connection to the host at ${path} ended`;
      this.#end(new SupervisorError("lost", why, { cause }));
    });
  }

  /** Connects. `told` hears once that the connection has ended, unless by `close`. Rejects with a SupervisorError or the
   * signal's reason. */
  static async dial(
    options: DialOptions,
    told: (error: SupervisorError) => void = () => {},
  ): Promise<Link> {
    const { path, timeoutMs = CONNECT_MS, signal, clock = hostClock } = options;
    const socket = connect(path);
    try {
      await within({ timeoutMs, signal, clock, path }, connected(socket, path));
      return new Link(options, socket, told);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** The same, and greets: `greet` does that. */
  static async greeted<Greeting>(
    options: DialOptions,
    told: (error: SupervisorError) => void,
    greet: (link: Link) => Promise<Greeting>,
  ): Promise<{ readonly link: Link; readonly greeting: Greeting }> {
    const { path, timeoutMs = CONNECT_MS, signal, clock = hostClock } = options;
    const link = await Link.dial(options, told);
    try {
      return { link, greeting: await within({ timeoutMs, signal, clock, path }, greet(link)) };
    } catch (error) {
      link.close();
      throw error;
    }
  }

  /** Sends a request and answers what the host says to it, which is of that kind. Throws a ProtocolError where the
   * request does not fit a frame. */
  async ask<Kind extends HostResponse["kind"]>(
    request: HostRequest,
    kind: Kind,
  ): Promise<Answer<Kind>> {
    const frame = encodeFrame(request);
    const waiting = this.#socket.writableLength;
    if (this.#answers.count >= MAX_WAITING || waiting + frame.length > MAX_BACKLOG) {
      throw new SupervisorError(
        "backlog",
        `the host has yet to answer ${this.#answers.count} requests and to read ${waiting} bytes; wait until it has`,
      );
    }
    const answer = this.#answers.next(kind);
    if (this.#socket.writable) this.#socket.write(frame);
    return answer;
  }

  /** Ends the connection once what was sent has left. What is waited for rejects. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answers.end(new SupervisorError("closed", "the connection to the host was closed here"));
    this.#socket.end();
    const cut = this.#clock.schedule(CLOSE_MS, () => this.#socket.destroy());
    this.#socket.once("close", cut);
  }

  #take(reader: FrameReader, chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      for (const frame of reader.push(chunk)) {
        if (!isValid(HostResponse, frame))
          throw new ProtocolError("decode", "a frame is no answer");
        if (!this.#answers.settle(frame)) this.#unasked(frame);
        if (this.#isOver) return;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const why = `what answers at ${this.#path} is no supervisor: ${error.message}`;
      this.#end(new SupervisorError("protocol", why, { cause: error }));
    }
  }

  /** A host that has no room for a connection says so without being asked. */
  #unasked(frame: HostResponse): void {
    if (frame.kind !== "failure") {
      throw new ProtocolError("decode", `it said ${frame.kind}, which was not asked for`);
    }
    this.#end(SupervisorError.refused({ ...frame, retryable: false }));
  }

  #end(error: SupervisorError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
    this.#answers.end(error);
    this.#told(error);
  }
}

function connected(socket: Socket, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (error: NodeJS.ErrnoException) => reject(unreached(path, error)));
  });
}

function unreached(path: string, cause: NodeJS.ErrnoException): SupervisorError {
  if (cause.code === "EACCES" || cause.code === "EPERM") {
    return new SupervisorError("unauthorized", `the socket ${path} may not be opened`, { cause });
  }
  const why = `no terminal host answers at ${path}: ${cause.message}`;
  return new SupervisorError("unreachable", why, { cause });
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly path: string;
}

/** What comes in time, and before it is given up. */
function within<Result>(
  { timeoutMs, signal, clock, path }: Limits,
  coming: Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const ends: Cancel[] = [];
    const settled = (settle: () => void) => {
      for (const end of ends.splice(0)) end();
      settle();
    };
    const late = () =>
      reject(
        new SupervisorError("silent", `the host at ${path} has not greeted in ${timeoutMs} ms`),
      );
    const abort = () => settled(() => reject(signal?.reason));
    ends.push(
      clock.schedule(timeoutMs, () => settled(late)),
      () => signal?.removeEventListener("abort", abort),
    );
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    coming.then(
      (result) => settled(() => resolve(result)),
      (error) => settled(() => reject(error)),
    );
  });
}
