import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { HostError } from "../failure.ts";
import type { Host } from "../host.ts";
import type { Terminal } from "../terminal.ts";
import { Attachment } from "./attachment.ts";
import { FrameReader } from "./frames.ts";
import { watchHalfClosed } from "./half-closed.ts";
import { Latest } from "./latest.ts";
import { SessionLists } from "./lists.ts";
import type { TerminalEvent, TerminalRequest, TerminalTheme } from "./messages.ts";
import { Outgoing } from "./outgoing.ts";
import { CLIENT_FRAMES, parseRequest } from "./parse.ts";
import { RunningCalls, wordsOf } from "./running-calls.ts";
import { SOCKET_BYTES } from "./viewer.ts";
import { OutputWindow } from "./window.ts";

/** How much time lies between two themes of one connection at least, in milliseconds: each is told to every screen. */
const THEME_MS = 50;

/** How long a peer may take to read what it was sent last, in milliseconds, before it is cut. */
const FINISH_MS = 30_000;

/** How long the requests of one connection are worked at before others get to run, in milliseconds. */
const TURN_MS = 2;

/** One connection that speaks the channel dialect: calls and their replies, and at most one terminal that it looks at. */
export class ChannelConnection {
  readonly #host: Host;
  readonly #socket: Socket;
  readonly #onShutdown: () => void;
  readonly #outgoing: Outgoing;
  readonly #lists: SessionLists;
  readonly #calls: RunningCalls;
  /** Requests that are not done yet. */
  readonly #working = new Set<Promise<void>>();
  /** Terminals that it has asked to close and that are not gone yet. */
  readonly #closing = new Set<Terminal>();
  readonly #theme: Latest<TerminalTheme>;
  /** Resolves when nothing is painted any more for a terminal that was looked at. */
  #painted = Promise.resolve();
  /** One for all that the connection looks at: what it acknowledges says nothing of which terminal that was. */
  readonly #window = new OutputWindow();
  #attachment: Attachment | undefined;
  #isOutdated = false;
  #ended = false;

  /** Greets at once. */
  constructor(host: Host, socket: Socket, onShutdown: () => void) {
    this.#host = host;
    this.#socket = socket;
    this.#onShutdown = onShutdown;
    const outgoing = new Outgoing(socket, () => this.end());
    this.#outgoing = outgoing;
    this.#lists = new SessionLists(host, {
      tell: (terminals) => outgoing.list("terminals", terminals),
      mayTell: () => outgoing.buffered < SOCKET_BYTES,
    });
    this.#theme = new Latest(host.clock, THEME_MS, (theme) => host.setTheme(theme));
    this.#calls = new RunningCalls(host, (id, outcome) => outgoing.reply(id, outcome));
    const reader = new FrameReader(CLIENT_FRAMES);
    socket.on("data", (chunk: Buffer) => void this.#feed(reader, chunk));
    socket.on("drain", () => this.#attachment?.viewer.drained());
    // Every error of a socket is followed by its close.
    socket.on("error", () => {});
    socket.on("close", () => this.end());
    socket.allowHalfOpen = true;
    socket.on("end", () => void this.#peerEnded());
    const { version, terminals } = host;
    this.#outgoing.send({ type: "hello", version, running: terminals.running, pid: process.pid });
  }

  /** Cuts it. The terminals live on. */
  end(): void {
    this.#stop();
    this.#socket.destroy();
  }

  /** Ends it once what was sent has been read. */
  async finish(): Promise<void> {
    const attachment = this.#attachment;
    // Of a terminal that is gone the viewer is told the end first.
    if (attachment?.terminal.state === "closed") await attachment.ended;
    this.#stop();
    const socket = this.#socket;
    if (socket.closed) return;
    const cut = this.#host.clock.schedule(FINISH_MS, () => socket.destroy());
    await new Promise<void>((resolve) => {
      socket.once("close", resolve);
      socket.resume().end();
    });
    cut();
  }

  /** Says once that what is installed is another build. */
  outdated(): void {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    this.#outgoing.send({ type: "outdated", running: this.#host.terminals.running });
  }

  /** The peer has said all it has to say and may still read: what it asked is answered before the end. Nobody types or
   * acknowledges any more, so nothing is shown. */
  async #peerEnded(): Promise<void> {
    this.#lists.end();
    if (this.#closing.size === 0) this.#leave();
    const stopLooking = watchHalfClosed(this.#host.clock, this.#socket);
    await Promise.all(this.#working);
    stopLooking();
    await this.finish();
  }

  #stop(): void {
    this.#ended = true;
    this.#outgoing.end();
    this.#leave();
    this.#lists.end();
    this.#theme.end();
    this.#calls.end();
  }

  /** Takes in what came. Nothing is read meanwhile, so that everything keeps its order and others get to run. */
  async #feed(reader: FrameReader, chunk: Buffer): Promise<void> {
    const { clock } = this.#host;
    let began = clock.monotonic();
    try {
      for (const frame of reader.push(chunk)) {
        if (this.#ended) return;
        const opening = this.#take(frame);
        if (opening === undefined && clock.monotonic() - began < TURN_MS) continue;
        this.#socket.pause();
        await (opening ?? turn());
        began = clock.monotonic();
      }
    } catch {
      // A corrupt frame: where the next one begins cannot be known.
      this.end();
    }
    if (!this.#ended) this.#socket.resume();
  }

  /** Answers what has to be done before the next frame can be understood. */
  #take(frame: unknown): Promise<void> | undefined {
    if (frame instanceof Uint8Array) {
      this.#type(frame);
      return undefined;
    }
    const parsed = parseRequest(frame);
    if (!("request" in parsed)) {
      const { callId, fault } = parsed;
      if (callId === undefined) this.#outgoing.fail(fault);
      else this.#outgoing.reply(callId, { error: fault });
      return undefined;
    }
    const { request } = parsed;
    const done = this.#handle(request).catch((error: unknown) =>
      this.#outgoing.fail(wordsOf(error)),
    );
    this.#working.add(done);
    void done.then(() => this.#working.delete(done));
    // What is typed next is meant for the terminal that is being opened.
    return request.type === "open" ? done : undefined;
  }

  #type(bytes: Uint8Array): void {
    const attachment = this.#attachment;
    if (attachment === undefined)
      this.#outgoing.fail("bytes are typed into a terminal: attach to one first");
    else if (attachment.viewer.isReadOnly)
      this.#outgoing.fail("the viewer is read-only, so nothing was typed");
    else attachment.type(bytes);
  }

  async #handle(request: TerminalRequest): Promise<void> {
    const host = this.#host;
    switch (request.type) {
      case "list":
        this.#outgoing.list("list", this.#lists.add(request.sessionId));
        return;
      case "theme":
        this.#theme.set(request);
        return;
      case "open": {
        const { sessionId, cwd, env, exec, cols, rows, whileViewed } = request;
        const options = { sessionId, cwd, environmentName: env, isAgents: false, cols, rows };
        const terminal = await host.open({
          ...options,
          ...(exec === undefined ? {} : { exec }),
          ...(whileViewed === undefined ? {} : { isWhileViewed: whileViewed }),
        });
        this.#look(terminal, false);
        if (whileViewed === true) host.closeUnviewed(terminal);
        return;
      }
      case "attach":
        this.#look(this.#known(request.terminalId), request.readOnly === true);
        return;
      case "resize":
        if (!this.#attached().viewer.isReadOnly) {
          this.#attached().viewer.resize(request.cols, request.rows);
        }
        return;
      case "ack":
        // One that comes after the terminal was closed is still right.
        if (this.#attachment !== undefined) this.#attachment.viewer.acknowledge(request.bytes);
        else this.#window.acknowledged(request.bytes, host.clock.monotonic());
        return;
      case "close":
        return this.#close(this.#attached().terminal, request.force === true);
      case "shutdown":
        this.#onShutdown();
        return;
      case "call":
        return this.#calls.start(request.id, request.call);
      case "cancel":
        this.#calls.cancel(request.id);
        return;
    }
  }

  #known(id: string): Terminal {
    const terminal = this.#host.terminals.get(id);
    if (terminal !== undefined) return terminal;
    // What it looked at before, it has left.
    this.#leave();
    throw new HostError("not_found", "there is no terminal of that id");
  }

  #attached(): Attachment {
    if (this.#attachment !== undefined) return this.#attachment;
    throw new HostError("not_found", "the connection looks at no terminal: attach to one first");
  }

  #look(terminal: Terminal, isReadOnly: boolean): void {
    this.#leave();
    if (this.#ended) return;
    const outgoing = this.#outgoing;
    const wire = {
      get buffered() {
        return outgoing.buffered;
      },
      send: (event: TerminalEvent) => outgoing.send(event),
      output: (bytes: Uint8Array) => outgoing.output(bytes),
      end: () => this.end(),
      closed: () => {
        this.#leave();
        outgoing.send({ type: "closed", terminalId: terminal.options.id });
      },
    };
    const options = { host: this.#host, terminal, wire, window: this.#window, isReadOnly };
    this.#attachment = new Attachment({ ...options, painted: this.#painted });
    // The first word to it may have been one too many for the connection.
    if (this.#ended) this.#leave();
  }

  #leave(): void {
    const attachment = this.#attachment;
    if (attachment === undefined) return;
    this.#attachment = undefined;
    attachment.end();
    this.#painted = attachment.viewer.painted;
  }

  async #close(terminal: Terminal, isForced: boolean): Promise<void> {
    // One word tells of its end, however often that was asked for.
    if (this.#closing.has(terminal)) return;
    const program = this.#host.foreground(terminal);
    if (program !== undefined && !isForced) {
      this.#outgoing.send({ type: "busy", terminalId: terminal.options.id, program });
      return;
    }
    this.#closing.add(terminal);
    await this.#host.close(terminal).finally(() => this.#closing.delete(terminal));
  }
}
