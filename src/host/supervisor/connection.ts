import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { isValid, validationErrors } from "../../contract/validation.ts";
import { ProtocolError } from "./errors.ts";
import { FrameReader } from "./frames.ts";
import { MAX_OPERATIONS, MAX_REQUEST_PARTS, MAXIMUM_FRAME_BYTES } from "./limits.ts";
import { HostRequest } from "./messages.ts";
import { fail, respond, type Supervisor } from "./supervisor.ts";

/** How many bytes may wait for one peer before it is given up. */
const MAX_BACKLOG = 8 * MAXIMUM_FRAME_BYTES;

/** How long a peer may take to read what it was sent last, in milliseconds, before it is cut. */
const FINISH_MS = 30_000;

/** One connection that speaks the supervisor dialect, for one request or many. Answers have no number, so they come in the
 * order of the requests; but `pong` and `cancelled`, which are known by their kind, come at once. */
export class SupervisorConnection {
  readonly #supervisor: Supervisor;
  readonly #socket: Socket;
  /** The ids of its operations that are under way. */
  readonly #operations = new Set<string>();
  /** Resolves when everything before is answered. */
  #answered = Promise.resolve();
  #ended = false;

  constructor(supervisor: Supervisor, socket: Socket) {
    this.#supervisor = supervisor;
    this.#socket = socket;
    const reader = new FrameReader({ maxParts: MAX_REQUEST_PARTS });
    socket.on("data", (chunk: Buffer) => void this.#feed(reader, chunk));
    // Every error of a socket is followed by its close.
    socket.on("error", () => {});
    socket.on("close", () => this.#leave());
    socket.on("end", () => void this.finish());
  }

  /** Ends it once what it has asked is answered and read: what it waits for is cancelled, as nobody may be there who waits
   * still. */
  async finish(): Promise<void> {
    this.#leave();
    await this.#answered;
    const socket = this.#socket;
    if (socket.closed) return;
    const cut = this.#supervisor.host.clock.schedule(FINISH_MS, () => socket.destroy());
    await new Promise<void>((resolve) => {
      socket.once("close", resolve);
      socket.resume().end();
    });
    cut();
  }

  /** No more is read, and nothing waited for. */
  #leave(): void {
    this.#ended = true;
    for (const id of this.#operations) this.#supervisor.cancel(id);
  }

  /** Takes in what came. Nothing is read meanwhile, so that others get to run. */
  async #feed(reader: FrameReader, chunk: Buffer): Promise<void> {
    if (this.#ended) return;
    this.#socket.pause();
    try {
      for (const frame of reader.push(chunk)) {
        this.#take(frame);
        await turn();
        if (this.#ended) break;
      }
    } catch (error) {
      const why = error instanceof ProtocolError ? error.message : "the frame cannot be read";
      // Where the next frame begins cannot be known.
      this.#answer(() => fail("invalid_request", why));
      void this.finish();
    }
    this.#socket.resume();
  }

  #take(frame: unknown): void {
    if (!isValid(HostRequest, frame)) {
      this.#answer(() => fail("invalid_request", faultOf(frame)));
      return;
    }
    switch (frame.kind) {
      case "hello":
        this.#answer(() => this.#supervisor.hello(frame.hello));
        return;
      case "ping":
        this.#send(respond({ kind: "pong" }));
        return;
      case "cancel": {
        const accepted = this.#supervisor.cancel(frame.request_id);
        this.#send(respond({ kind: "cancelled", accepted }));
        return;
      }
      case "terminal":
        this.#operate(frame);
    }
  }

  #operate(request: Extract<HostRequest, { kind: "terminal" }>): void {
    if (this.#operations.size >= MAX_OPERATIONS) {
      const why = `${MAX_OPERATIONS} operations of the connection are under way; try again when one has ended`;
      this.#answer(() => fail("terminal_operation_failed", why));
      return;
    }
    const { request_id } = request;
    const isOurs = !this.#operations.has(request_id);
    this.#operations.add(request_id);
    const frame = this.#supervisor.operate(request).finally(() => {
      if (isOurs) this.#operations.delete(request_id);
    });
    this.#answer(() => frame);
  }

  /** Answers after all that was asked before. */
  #answer(frame: () => Buffer | Promise<Buffer>): void {
    this.#answered = this.#answered.then(async () => this.#send(await frame()));
  }

  #send(frame: Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    socket.write(frame);
    // Who asks and does not read the answers.
    if (socket.writableLength > MAX_BACKLOG) socket.destroy();
  }
}

/** What is wrong with a request, in words. */
function faultOf(frame: unknown): string {
  const kind = typeof frame === "object" && frame !== null && "kind" in frame ? frame.kind : "";
  const [fault] = validationErrors(HostRequest, frame);
  const what =
    typeof kind === "string" && kind !== "" ? `the request ${kind.slice(0, 64)}` : "a request";
  return `${what} must have the shape of the dialect${fault === undefined ? "" : `: ${fault.path} ${fault.message}`}`;
}
