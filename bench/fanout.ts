import { loadavg } from "node:os";
import { pino } from "pino";
import type { TerminalInfo } from "../src/contract/terminals.ts";
import { createServer } from "../src/server/server.ts";
import { systemClock } from "../src/time/clock.ts";
import { ElementFeed } from "../src/topics/elements.ts";
import { Topics } from "../src/topics/hub.ts";
import { answerParent, Child } from "./lib/child.ts";
import { quantile } from "./lib/figures.ts";
import { ManyClients, type Received } from "./lib/many-clients.ts";
import { paced } from "./lib/paced.ts";
import { rawBroadcast, webSocketServer } from "./lib/raw-server.ts";
import { MARK, stamp } from "./lib/stamps.ts";

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
const GOAL_CPU = 1.3;
const GOAL_P99 = 1.5;

const INSTANCE = "0123456789abcdef0123456789abcdef";
const EPOCH = "0123456789abcdef";
const TOKEN = "bench-token-bench-token-bench-token-bench-0";
/** The rows of a host; one of them changes with each frame. */
const ROWS = 200;
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

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a frame to 500 clients costs the publisher for each of them, beside a server that only sends the
 * same bytes with ws. Servers and clients are processes of their own, and take turns. */
export default async function fanout(): Promise<void> {
  const servers = {
    raw: new Child<Request>(import.meta.url, "raw"),
    topics: new Child<Request>(import.meta.url, "topics"),
    product: new Child<Request>(import.meta.url, "product"),
  };
  const clients = new ManyClients();
  try {
    for (const side of SIDES) {
      const url = await servers[side].ask<string>({ do: "listen" });
      const token = side === "product" ? { token: TOKEN } : {};
      await clients.connect(CLIENTS, { url, isStated: side !== "raw", ...token });
    }
    const results: Record<Side, (Span & Received)[]> = { raw: [], topics: [], product: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of SIDES) {
        const ms = round === 0 ? WARM_UP_MS : SPAN_MS;
        const span = await servers[side].ask<Span>({ do: "send", ms });
        const received = await clients.collect();
        requireAll(side, span, received);
        if (round > 0) results[side].push({ ...span, ...received });
      }
    }
    report(results);
  } finally {
    for (const child of [...Object.values(servers), clients]) await child.end();
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

type Request = { readonly do: "listen" } | { readonly do: "send"; readonly ms: number };

function serveSide(side: { listen(): Promise<string>; send(stamp: string): void }): void {
  answerParent<Request>((request) =>
    request.do === "send" ? span(request.ms, side.send) : side.listen(),
  );
}

async function span(ms: number, send: (stamp: string) => void): Promise<Span> {
  const cpu = process.cpuUsage();
  const pace = { ms, perSecond: FRAMES_PER_SECOND, gapMs: GAP_MS };
  const frames = await paced(pace, () => send(stamp()));
  await after(DRAIN_MS);
  const { user, system } = process.cpuUsage(cpu);
  return { frames, cpuMicroseconds: user + system };
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
function publisher(): { hub: Topics; send(stamp: string): void } {
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
  return {
    hub,
    send: (stamped) => publish((MARK + stamped).padEnd(MARK.length + stamped.length + padding)),
  };
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

export const roles = {
  raw: () => serveSide(rawBroadcast(FRAME_BYTES)),
  topics: topicsServer,
  product: productServer,
};
