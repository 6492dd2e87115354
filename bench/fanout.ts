import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import WebSocket, { WebSocketServer } from "ws";
import { PROTOCOL_VERSION } from "../src/contract/envelope.ts";
import type { TerminalInfo } from "../src/contract/terminals.ts";
import { createServer } from "../src/server/server.ts";
import { systemClock } from "../src/time/clock.ts";
import { ElementFeed } from "../src/topics/elements.ts";
import { Topics } from "../src/topics/hub.ts";
import { quantile } from "./lib/figures.ts";

const CLIENTS = 500;
const FRAME_BYTES = 1_024;
/** Below what makes the process busy, from where on the product folds and the two do not compare. */
const FRAMES_PER_SECOND = 15;
const WARM_UP_MS = 1_000;
const SPAN_MS = 2_500;
const DRAIN_MS = 500;
const ROUNDS = 3;
/** After a stall, frames that are late go no closer than this: within its flush period the product folds
 * them into one. */
const GAP_MS = 20;
const CONNECTING_AT_ONCE = 50;
const GOAL_CPU = 1.3;
const GOAL_P99 = 1.5;

const INSTANCE = "0123456789abcdef0123456789abcdef";
const EPOCH = "0123456789abcdef";
const TOKEN = "bench-token-bench-token-bench-token-bench-0";
/** The rows of a host; one of them changes with each frame. */
const ROWS = 200;
/** Stands before the time of sending in each frame that is measured. */
const MARK = "sent:";

/** Who sends: ws alone, topics that write to ws themselves, and the whole of what people run. */
const SIDES = ["raw", "topics", "product"] as const;
type Side = (typeof SIDES)[number];

const NAMES: Record<Side, string> = {
  raw: "raw ws broadcast",
  topics: "topics over raw ws",
  product: "topics and server",
};

interface Span {
  readonly frames: number;
  readonly cpuMicroseconds: number;
}

interface Received {
  readonly deliveries: number;
  readonly p50: number;
  readonly p99: number;
}

/** Comparable between the processes of one machine, and always as long. */
const stamp = () => (performance.timeOrigin + performance.now()).toFixed(3).padStart(17, "0");

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a frame to 500 clients costs the publisher for each of them, beside a server that only sends the
 * same bytes with ws. Servers and clients are processes of their own, and take turns. */
export default async function fanout(): Promise<void> {
  const servers = {
    raw: new Child("raw"),
    topics: new Child("topics"),
    product: new Child("product"),
  };
  const clients = new Child("clients");
  try {
    for (const side of SIDES) {
      const url = await servers[side].ask<string>({ do: "listen" });
      await clients.ask({ do: "connect", side, url });
    }
    const results: Record<Side, (Span & Received)[]> = { raw: [], topics: [], product: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of SIDES) {
        const ms = round === 0 ? WARM_UP_MS : SPAN_MS;
        const span = await servers[side].ask<Span>({ do: "send", ms });
        const received = await clients.ask<Received>({ do: "collect" });
        requireAll(side, span, received);
        if (round > 0) results[side].push({ ...span, ...received });
      }
    }
    report(results);
  } finally {
    for (const child of [...Object.values(servers), clients]) child.end();
  }
}

function requireAll(side: Side, { frames }: Span, { deliveries }: Received): void {
  if (deliveries === frames * CLIENTS) return;
  throw new Error(`Expected ${frames * CLIENTS} deliveries of \`${side}\`, got ${deliveries}`);
}

function report(results: Record<Side, readonly (Span & Received)[]>): void {
  const [load = 0] = loadavg();
  console.log(
    `${CLIENTS} clients, frames of ${FRAME_BYTES} bytes, ${FRAMES_PER_SECOND} a second, ${ROUNDS} spans of ${SPAN_MS} ms each in turn, load ${load.toFixed(1)}`,
  );
  const middle = (side: Side, of: (span: Span & Received) => number) =>
    quantile(results[side].map(of), 0.5);
  const cpu = (side: Side) =>
    middle(side, ({ cpuMicroseconds, deliveries }) => cpuMicroseconds / deliveries);
  const p99 = (side: Side) => middle(side, (span) => span.p99);
  for (const side of SIDES) {
    console.log(
      `${NAMES[side].padEnd(19)} ${cpu(side).toFixed(1).padStart(6)} µs CPU per delivery   p50 ${middle(side, ({ p50 }) => p50).toFixed(1)} ms   p99 ${p99(side).toFixed(1)} ms`,
    );
  }
  console.log(
    `ratio               ${(cpu("product") / cpu("raw")).toFixed(2).padStart(6)} (topics alone ${(cpu("topics") / cpu("raw")).toFixed(2)})  goal: <= ${GOAL_CPU}   p99 ${(p99("product") / p99("raw")).toFixed(2)}  goal: <= ${GOAL_P99}`,
  );
}

/** One of the benchmark's processes. It does one thing at a time and answers when it is done. */
class Child {
  readonly #process: ChildProcess;
  readonly #ready: Promise<unknown>;

  constructor(role: keyof typeof roles) {
    const code = `
      import { runnerImport } from "vite";
      const { module } = await runnerImport(process.argv[1]);
      module.roles[process.argv[2]]();
      process.send("ready");`;
    this.#process = spawn(
      process.execPath,
      ["--input-type=module", "-e", code, fileURLToPath(import.meta.url), role],
      {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      },
    );
    this.#ready = once(this.#process, "message");
  }

  async ask<Answer>(request: Request): Promise<Answer> {
    await this.#ready;
    const answer = once(this.#process, "message");
    this.#process.send(request);
    return (await answer)[0] as Answer;
  }

  end(): void {
    this.#process.disconnect();
  }
}

type Request =
  | { readonly do: "listen" }
  | { readonly do: "send"; readonly ms: number }
  | { readonly do: "connect"; readonly side: Side; readonly url: string }
  | { readonly do: "collect" };

/** Answers the parent's requests, until the parent is gone. */
function serve(answer: (request: Request) => Promise<unknown>): void {
  process.on("message", (request: Request) => {
    void answer(request).then((result) => process.send?.(result ?? "done"));
  });
  process.on("disconnect", () => process.exit());
}

function serveSide(side: { listen(): Promise<string>; send(mark: string): void }): void {
  serve((request) => {
    if (request.do === "send") return paced(request.ms, () => side.send(MARK + stamp()));
    return side.listen();
  });
}

/** Sends at the stated rate by the clock, so that a stall delays frames and leaves none out. */
async function paced(ms: number, send: () => void): Promise<Span> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const frames = Math.round((ms * FRAMES_PER_SECOND) / 1_000);
  let sentAt = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame += 1) {
    const due = start + (frame * 1_000) / FRAMES_PER_SECOND;
    const wait = Math.max(due, sentAt + GAP_MS) - performance.now();
    if (wait > 0) await after(wait);
    sentAt = performance.now();
    send();
  }
  await after(DRAIN_MS);
  const { user, system } = process.cpuUsage(cpu);
  return { frames, cpuMicroseconds: user + system };
}

/** A server of ws alone, and its address. */
function webSocketServer(): { server: WebSocketServer; listen(): Promise<string> } {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    perMessageDeflate: false,
    maxPayload: 64 * 1_024,
    backlog: 4_096,
  });
  const listen = async () => {
    if (server.address() === null) await once(server, "listening");
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  return { server, listen };
}

function rawServer(): void {
  const { server, listen } = webSocketServer();
  serveSide({
    listen,
    send(mark) {
      const frame = Buffer.from(`{"mark":"${mark}"`.padEnd(FRAME_BYTES - 2, " ").concat("}\n"));
      for (const client of server.clients) client.send(frame, { binary: false });
    },
  });
}

const row = (id: number, title: string): TerminalInfo => ({
  instance: INSTANCE,
  id: `tmux:default@4711.1700000000/${id}`,
  state: "running",
  command: ["zsh"],
  cwd: `/home/user/${id}`,
  pid: 1_000 + id,
  title,
});

/** A host's terminals, and a way to change one of them so that its frame is as long as the raw one. */
function publisher(): { hub: Topics; send(mark: string): void } {
  const hub = new Topics({ clock: systemClock });
  const feed = new ElementFeed("terminals", INSTANCE, EPOCH);
  hub.offer("terminals", [feed]);
  const publish = (title: string) => {
    const rows = Array.from({ length: ROWS }, (_, id) => row(id, id === 0 ? title : ""));
    feed.publish({ rows, polledAt: Date.now(), removedAt: 0, reasonOf: () => "closed" });
    hub.changed();
  };
  publish("");
  publish(MARK + stamp());
  const padding = FRAME_BYTES - (feed.since(1)?.[0]?.length ?? 0);
  publish("");
  return { hub, send: (mark) => publish(mark.padEnd(mark.length + padding)) };
}

function topicsServer(): void {
  const { server, listen } = webSocketServer();
  const { hub, send } = publisher();
  server.on("connection", (socket) => {
    const reader = hub.connect({
      send: (line) => socket.send(line, { binary: false }),
      get buffered() {
        return socket.bufferedAmount;
      },
      evict: () => socket.terminate(),
    });
    void reader.open("terminals").then((begin) => begin());
  });
  serveSide({ listen, send });
}

function productServer(): void {
  const { hub, send } = publisher();
  serveSide({
    async listen() {
      const { endpoint } = await createServer({
        port: 0,
        token: TOKEN,
        hub,
        identity: { instance: INSTANCE, version: "0", startedAt: Date.now(), hostName: "bench" },
        clock: systemClock,
        log: pino({ level: "silent" }),
      });
      return `${endpoint.replace("http", "ws")}ws`;
    },
    send,
  });
}

function manyClients(): void {
  let latencies: number[] = [];
  const receive = (data: Buffer) => {
    const at = data.indexOf(MARK);
    if (at === -1) return;
    const sent = Number(data.toString("latin1", at + MARK.length, at + MARK.length + 17));
    latencies.push(performance.timeOrigin + performance.now() - sent);
  };
  serve(async (request) => {
    if (request.do === "connect") {
      for (let first = 0; first < CLIENTS; first += CONNECTING_AT_ONCE) {
        const some = Array.from({ length: CONNECTING_AT_ONCE }, () => connect(request, receive));
        await Promise.all(some);
      }
      return;
    }
    const collected = latencies;
    latencies = [];
    return {
      deliveries: collected.length,
      p50: quantile(collected, 0.5),
      p99: quantile(collected, 0.99),
    };
  });
}

/** Resolves once frames are on their way: on a raw connection at once, else after the snapshot. */
async function connect(
  { side, url }: { side: Side; url: string },
  receive: (data: Buffer) => void,
): Promise<void> {
  const protocols = side !== "product" ? [] : ["ccmsg.v1", `ccmsg.token.${TOKEN}`];
  const socket = new WebSocket(url, protocols, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const stated = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      if (data.includes('"snapshot":true')) resolve();
    });
  });
  await once(socket, "open");
  if (side === "product") {
    const greeting = { op: "hello.user", request_id: "1", protocol_version: PROTOCOL_VERSION };
    const subscription = { op: "topic.subscribe", request_id: "2", topic: "terminals" };
    socket.send(`${JSON.stringify(greeting)}\n`);
    await once(socket, "message");
    socket.send(`${JSON.stringify(subscription)}\n`);
  }
  if (side !== "raw") await stated;
  socket.removeAllListeners("message");
  socket.on("message", receive);
}

export const roles = {
  raw: rawServer,
  topics: topicsServer,
  product: productServer,
  clients: manyClients,
};
