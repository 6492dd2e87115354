import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach } from "vitest";
import WebSocket from "ws";
import type { RunningServer, ServerOptions } from "../../src/server/server.ts";
import { createServer } from "../../src/server/server.ts";
import type { Clock } from "../../src/time/clock.ts";
import type { Begin, FrameSink, Reader, TopicHub } from "../../src/topics/reader.ts";

export const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";
export const OTHER_INSTANCE = "00000000000000000000000000000000";
export const SID = "0199d4b2-5f0a-7c31-8a52-3e8f6c1d2b40";
export const TOKEN = "C6Pt8mDq0bW1xYk3Zs5vRn7uJh9gFe2LaTiOwQzXcVM";
export const GENERATION = 4;

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #time = 1_790_000_000_000;
  #tasks = new Map<object, { at: number; task: () => void }>();

  get pending(): number {
    return this.#tasks.size;
  }

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  schedule(delayMs: number, task: () => void) {
    const key = {};
    this.#tasks.set(key, { at: this.#time + delayMs, task });
    return () => void this.#tasks.delete(key);
  }

  advance(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const due = [...this.#tasks].filter(([, { at }]) => at <= end);
      const [first] = due.sort(([, a], [, b]) => a.at - b.at);
      if (first === undefined) break;
      this.#tasks.delete(first[0]);
      this.#time = Math.max(this.#time, first[1].at);
      first[1].task();
    }
    this.#time = end;
  }
}

export class FakeReader implements Reader {
  readonly sink: FrameSink;
  readonly calls: string[] = [];
  readonly #hub: FakeHub;
  readonly #opening = new Map<string, symbol>();

  constructor(hub: FakeHub, sink: FrameSink) {
    this.#hub = hub;
    this.sink = sink;
  }

  async open(topic: string): Promise<Begin> {
    this.calls.push(`open ${topic}`);
    this.#hub.noticed();
    const mark = Symbol(topic);
    this.#opening.set(topic, mark);
    await this.#hub.reading(topic);
    return () => {
      if (this.#opening.get(topic) !== mark) return;
      this.sink.send(frame(topic));
    };
  }

  close(topic: string): void {
    this.calls.push(`close ${topic}`);
    this.#opening.delete(topic);
    this.#hub.noticed();
  }

  end(): void {
    this.calls.push("end");
    this.#opening.clear();
    this.#hub.noticed();
  }
}

/** Topics with nothing in them. A test may hold a reading back, or make it fail. */
export class FakeHub implements TopicHub {
  readonly readers: FakeReader[] = [];
  offered = new Set(["terminals", "agents", "instances", "notify", "peers"]);
  reading: (topic: string) => Promise<void> = async () => {};
  #notice: (() => void)[] = [];

  offers(topic: string): boolean {
    return this.offered.has(topic);
  }

  connect(sink: FrameSink): Reader {
    const reader = new FakeReader(this, sink);
    this.readers.push(reader);
    this.noticed();
    return reader;
  }

  get last(): FakeReader {
    const reader = this.readers.at(-1);
    if (reader === undefined) throw new Error("nothing has connected");
    return reader;
  }

  noticed(): void {
    for (const notice of this.#notice.splice(0)) notice();
  }

  /** Waits until the hub was called in such a way that the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#notice.push(resolve));
  }
}

function frame(topic: string): Buffer {
  const data = { [topic]: [] };
  return Buffer.from(
    `${JSON.stringify({ ev: "topic", topic, snapshot: true, instance: INSTANCE, data })}\n`,
  );
}

/** Something that was received. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
export type Message = any;

/** The lines that a peer receives, and its end. */
class Inbox {
  readonly #lines: Message[] = [];
  readonly #waiting: ((line: Message) => void)[] = [];
  #rest = "";
  #ended = false;

  feed(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#put(JSON.parse(line));
  }

  end(): void {
    this.#ended = true;
    for (const wake of this.#waiting.splice(0)) wake(undefined);
  }

  #put(line: Message): void {
    const wake = this.#waiting.shift();
    if (wake === undefined) this.#lines.push(line);
    else wake(line);
  }

  /** Text after the last newline. */
  get rest(): string {
    return this.#rest;
  }

  get unread(): number {
    return this.#lines.length;
  }

  next(): Promise<Message> {
    if (this.#lines.length > 0) return Promise.resolve(this.#lines.shift());
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A client of either carrier. */
export interface Peer {
  readonly carrier: "websocket" | "unix";
  readonly inbox: Inbox;
  /** Sends bytes as they are: one message, or a piece of the stream. */
  send(bytes: string | Uint8Array): void;
  /** Sends one line. */
  line(text: string | Uint8Array): void;
  next(): Promise<Message>;
  request(op: string, args?: object): Promise<Message>;
  /** Resolves with the close code, or 0 where the carrier has none. */
  readonly closed: Promise<number>;
  end(): void;
}

let requests = 0;

abstract class BasePeer {
  readonly inbox = new Inbox();
  abstract line(text: string | Uint8Array): void;

  next(): Promise<Message> {
    return this.inbox.next();
  }

  /** Sends a request; answers with the next line, which is the reply where nothing else is awaited. */
  request(op: string, args: object = {}): Promise<Message> {
    this.line(JSON.stringify({ op, request_id: `r${requests++}`, ...args }));
    return this.inbox.next();
  }
}

export class WebSocketPeer extends BasePeer implements Peer {
  readonly carrier = "websocket";
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(socket: WebSocket) {
    super();
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("message", (data) => this.inbox.feed(String(data)));
    socket.on("close", () => this.inbox.end());
    socket.on("error", () => {});
  }

  send(bytes: string | Uint8Array): void {
    this.socket.send(bytes, { binary: false });
  }

  line(text: string | Uint8Array): void {
    this.send(text);
  }

  end(): void {
    this.socket.terminate();
  }
}

export class UnixPeer extends BasePeer implements Peer {
  readonly carrier = "unix";
  readonly socket: Socket;
  readonly closed: Promise<number>;

  constructor(socket: Socket) {
    super();
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.on("close", () => resolve(0)));
    socket.on("data", (bytes) => this.inbox.feed(String(bytes)));
    socket.on("close", () => this.inbox.end());
    socket.on("error", () => {});
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  line(text: string | Uint8Array): void {
    this.socket.write(text);
    this.socket.write("\n");
  }

  end(): void {
    this.socket.destroy();
  }
}

const cleanups: (() => unknown)[] = [];

/** Runs after the test, the last one first. */
export function afterTest(task: () => unknown): void {
  cleanups.push(task);
}

afterEach(async () => {
  for (const task of cleanups.splice(0).reverse()) await task();
});

/** A folder of the test's own. Short, for the sake of socket paths. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tt-"));
  afterTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestServer extends RunningServer {
  readonly hub: FakeHub;
  readonly clock: ManualClock;
  readonly socket: string;
  websocket(options?: WebSocket.ClientOptions, path?: string): Promise<WebSocketPeer>;
  unix(): Promise<UnixPeer>;
  peer(carrier: Peer["carrier"]): Promise<Peer>;
}

export async function startServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const hub = new FakeHub();
  const clock = new ManualClock();
  const socketPath = join(await temporaryFolder(), "run", "s");
  const server = await createServer({
    port: 0,
    token: TOKEN,
    socketPath,
    hub,
    clock,
    identity: { instance: INSTANCE, version: "0.0.0-test", startedAt: 1, hostName: "host" },
    log: pino({ level: "silent" }),
    ...options,
  });
  const peers: Peer[] = [];
  const keep = <P extends Peer>(peer: P): P => {
    peers.push(peer);
    return peer;
  };
  afterTest(() => {
    for (const peer of peers) peer.end();
    return server.stop("stop");
  });
  const websocket = async (more: WebSocket.ClientOptions = {}, path = "ws") => {
    const url = `${server.endpoint.replace("http", "ws")}${path}`;
    const protocols = ["ccmsg.v1", `ccmsg.token.${TOKEN}`];
    const socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...more });
    const peer = keep(new WebSocketPeer(socket));
    await once(socket, "open");
    return peer;
  };
  const unix = async () => {
    const known = hub.readers.length;
    const socket = connect(socketPath);
    const peer = keep(new UnixPeer(socket));
    await once(socket, "connect");
    await hub.until(() => hub.readers.length > known);
    return peer;
  };
  return {
    ...server,
    hub,
    clock,
    socket: socketPath,
    websocket,
    unix,
    peer: (carrier) => (carrier === "unix" ? unix() : websocket()),
  };
}

export const CARRIERS = ["websocket", "unix"] as const;

export function greet(peer: Peer): Promise<Message> {
  return peer.request("hello.user", { protocol_version: GENERATION });
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
