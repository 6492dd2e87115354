import type { Socket } from "node:net";
import { validationErrors } from "../../contract/validation.ts";
import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import type { Terminal } from "../terminal.ts";
import { runCall } from "./calls.ts";
import { encodeFrame, FrameReader, UnreadFrame } from "./frames.ts";
import { MAX_BACKLOG, MAX_REQUEST_BYTES, MAX_REQUEST_PARTS } from "./limits.ts";
import { SessionLists } from "./lists.ts";
import { type HostCall, type TerminalEvent, TerminalRequest } from "./messages.ts";
import { Viewer } from "./viewer.ts";

/** How many calls of one connection may be under way at once. */
const MAX_CALLS = 256;

/** One connection that speaks the channel dialect: calls and their replies, and at most one terminal that it looks at. */
export class ChannelConnection {
  readonly #host: Host;
  readonly #socket: Socket;
  readonly #onShutdown: () => void;
  readonly #lists: SessionLists;
  readonly #calls = new Map<number, AbortController>();
  #viewer: Viewer | undefined;
  #unwatch: (() => void) | undefined;
  #ended = false;

  /** Greets at once. */
  constructor(host: Host, socket: Socket, onShutdown: () => void) {
    this.#host = host;
    this.#socket = socket;
    this.#onShutdown = onShutdown;
    this.#lists = new SessionLists(host, (terminals) =>
      this.#send({ type: "terminals", terminals }),
    );
    const reader = new FrameReader({
      pieces: true,
      maxJsonBytes: MAX_REQUEST_BYTES,
      maxJsonParts: MAX_REQUEST_PARTS,
    });
    socket.on("data", (chunk) => this.#feed(reader, chunk as Buffer));
    socket.on("drain", () => this.#viewer?.drained());
    // Every error of a socket is followed by its close.
    socket.on("error", () => {});
    socket.on("close", () => this.end());
    const { version, terminals } = host;
    this.#send({ type: "hello", version, running: terminals.running, pid: process.pid });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave();
    this.#lists.end();
    for (const call of this.#calls.values()) call.abort();
    this.#socket.destroy();
  }

  /** Says that what is installed is another build. */
  outdated(): void {
    this.#send({ type: "outdated", running: this.#host.terminals.running });
  }

  #feed(reader: FrameReader, chunk: Buffer): void {
    try {
      for (const frame of reader.push(chunk)) {
        if (this.#ended) return;
        if (frame instanceof Uint8Array) this.#type(frame);
        else if (frame instanceof UnreadFrame) this.#refuseSize(frame);
        else this.#take(frame);
      }
    } catch {
      // A corrupt frame: where the next one begins cannot be known.
      this.end();
    }
  }

  #refuseSize({ bytes }: UnreadFrame): void {
    const most = `${MAX_REQUEST_BYTES} bytes with ${MAX_REQUEST_PARTS} values`;
    this.#fail(`a request must be at most ${most}, got one of ${bytes} bytes`);
  }

  #type(bytes: Uint8Array): void {
    const viewer = this.#viewer;
    if (viewer === undefined) this.#fail("bytes are typed into a terminal: attach to one first");
    else if (viewer.isReadOnly) this.#fail("the viewer is read-only, so nothing was typed");
    else viewer.type(bytes);
  }

  #take(message: unknown): void {
    const faults = validationErrors(TerminalRequest, message);
    if (faults.length > 0) {
      const why = faults.map(({ path, message: fault }) => `${path}: ${fault}`).join("; ");
      const id = (message as { id?: unknown } | null)?.id;
      const isCall = (message as { type?: unknown } | null)?.type === "call";
      if (isCall && Number.isSafeInteger(id)) this.#reply(id as number, { error: why });
      else this.#fail(`the request is none: ${why}`);
      return;
    }
    void this.#handle(message as TerminalRequest).catch((error: unknown) => {
      this.#fail(wordsOf(error));
    });
  }

  async #handle(request: TerminalRequest): Promise<void> {
    const host = this.#host;
    switch (request.type) {
      case "list":
        this.#lists.add(request.sessionId);
        this.#send({ type: "list", terminals: host.infos(request.sessionId) });
        return;
      case "theme":
        host.setTheme(request);
        return;
      case "open": {
        const { sessionId, cwd, env, exec, cols, rows } = request;
        const options = { sessionId, cwd, environmentName: env, isAgents: false, cols, rows };
        this.#look(await host.open({ ...options, ...(exec === undefined ? {} : { exec }) }), false);
        return;
      }
      case "attach": {
        const terminal = host.terminals.get(request.terminalId);
        if (terminal === undefined) {
          throw new HostError("not_found", "there is no terminal of that id");
        }
        this.#look(terminal, request.readOnly === true);
        return;
      }
      case "resize":
        if (!this.#attached().isReadOnly)
          this.#attached().terminal.resize(request.cols, request.rows);
        return;
      case "ack":
        this.#attached().acknowledge(request.bytes);
        return;
      case "close":
        return this.#close(this.#attached().terminal, request.force === true);
      case "shutdown":
        this.#onShutdown();
        return;
      case "call":
        return this.#call(request.id, request.call);
      case "cancel":
        this.#calls.get(request.id)?.abort();
        return;
    }
  }

  #attached(): Viewer {
    if (this.#viewer !== undefined) return this.#viewer;
    throw new HostError("not_found", "the connection looks at no terminal: attach to one first");
  }

  #look(terminal: Terminal, isReadOnly: boolean): void {
    this.#leave();
    if (this.#ended) return;
    this.#send({ type: "attached", terminal: this.#host.info(terminal) });
    const { id } = terminal.options;
    const socket = this.#socket;
    const wire = {
      get buffered() {
        return socket.writableLength;
      },
      output: (bytes: Uint8Array) => this.#write(encodeFrame(bytes)),
      skipped: (bytes: number) => this.#send({ type: "skipped", terminalId: id, bytes }),
      giveUp: (why: string) => {
        this.#fail(why);
        this.end();
      },
    };
    const { turns, clock } = this.#host;
    this.#viewer = new Viewer({ terminal, wire, turns, clock, isReadOnly });
    this.#unwatch = terminal.changed.on(() => this.#changed(terminal));
  }

  #changed(terminal: Terminal): void {
    if (terminal.state !== "closed") {
      this.#send({ type: "changed", terminal: this.#host.info(terminal) });
      return;
    }
    this.#leave();
    this.#send({ type: "closed", terminalId: terminal.options.id });
  }

  #leave(): void {
    this.#viewer?.end();
    this.#unwatch?.();
    this.#viewer = undefined;
    this.#unwatch = undefined;
  }

  async #close(terminal: Terminal, isForced: boolean): Promise<void> {
    const program = this.#host.foreground(terminal);
    if (program === undefined || isForced) return this.#host.close(terminal);
    this.#send({ type: "busy", terminalId: terminal.options.id, program });
  }

  async #call(id: number, call: HostCall): Promise<void> {
    if (this.#calls.has(id)) {
      this.#reply(id, { error: `the id ${id} is that of a call under way; give each its own` });
      return;
    }
    if (this.#calls.size >= MAX_CALLS) {
      this.#reply(id, { error: `${MAX_CALLS} calls are under way; try again when one has ended` });
      return;
    }
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      this.#reply(id, { result: await runCall(this.#host, call, controller.signal) });
    } catch (error) {
      this.#reply(id, { error: wordsOf(error) });
    } finally {
      this.#calls.delete(id);
    }
  }

  #reply(id: number, outcome: { result: unknown } | { error: string }): void {
    this.#send({ type: "reply", id, ...outcome } as TerminalEvent);
  }

  #fail(message: string): void {
    this.#send({ type: "error", message });
  }

  #send(event: TerminalEvent): void {
    this.#write(encodeFrame(event));
  }

  #write(frame: Buffer): void {
    if (this.#ended || !this.#socket.writable) return;
    this.#socket.write(frame);
    // Who asks and does not read the answers.
    if (this.#socket.writableLength > MAX_BACKLOG) this.end();
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
