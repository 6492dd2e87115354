import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { encodeFrame, FrameReader } from "../../../src/host/channel/frames.ts";
import type { TerminalEvent, TerminalInfo } from "../../../src/host/index.ts";

/** A terminal as a host states it. */
export const terminal = (fields: Partial<TerminalInfo> = {}): TerminalInfo => ({
  id: "t1",
  sessionId: "work",
  index: 1,
  cwd: "/home/kim",
  env: null,
  title: "",
  createdAt: 1_757_300_000_000,
  cols: 80,
  rows: 24,
  ...fields,
});

/** One connection as the host sees it. */
export class Peer {
  readonly socket: Socket;
  readonly #received: unknown[] = [];
  readonly #waiting: ((frame: unknown) => void)[] = [];
  readonly #closed: Promise<unknown>;

  constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once("close", resolve));
    const reader = new FrameReader();
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      for (const frame of reader.push(chunk as Buffer)) this.#take(frame);
    });
  }

  /** Sends an event, or output. */
  say(message: TerminalEvent | Uint8Array | object): void {
    this.socket.write(encodeFrame(message));
  }

  greet(): void {
    this.say({ type: "hello", version: "0.1.0", running: 2, pid: 4711 });
  }

  /** The next frame that the client sends, or has sent. */
  async next(): Promise<unknown> {
    if (this.#received.length > 0) return this.#received.shift();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Everything that the client has sent and nobody has taken. */
  get untaken(): readonly unknown[] {
    return this.#received;
  }

  /** Resolves when the client has ended the connection. */
  async ended(): Promise<void> {
    await this.#closed;
  }

  #take(frame: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#received.push(frame);
    else waiting(frame);
  }
}

/** A host whose part the test plays, on a real socket. */
export class ScriptedHost {
  readonly path: string;
  readonly #server: Server;
  readonly #peers: Peer[] = [];
  readonly #waiting: ((peer: Peer) => void)[] = [];

  constructor(path: string, server: Server, greets: boolean) {
    this.path = path;
    this.#server = server;
    this.#server.on("connection", (socket) => {
      const peer = new Peer(socket);
      onTestFinished(() => {
        socket.destroy();
      });
      if (greets) peer.greet();
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#peers.push(peer);
      else waiting(peer);
    });
  }

  /** The next connection that is made, or was. */
  async accept(): Promise<Peer> {
    const peer = this.#peers.shift();
    return peer ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A host that listens. It greets whoever connects unless told otherwise. */
export async function scriptedHost({ greets = true } = {}): Promise<ScriptedHost> {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-channel-"));
  const server = createServer();
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "channel.sock");
  server.listen(path);
  await once(server, "listening");
  return new ScriptedHost(path, server, greets);
}
