import { NatsServer } from "../../test/lib/nats/server.ts";
import { report } from "../host/lib/report.ts";
import { answerParent, Child } from "../lib/child.ts";
import { quantile } from "../lib/figures.ts";
import { ManyClients, type Received } from "../lib/many-clients.ts";
import { paced } from "../lib/paced.ts";
import { cpuMeter } from "../lib/publisher.ts";
import { rawBroadcast } from "../lib/raw-server.ts";
import { stamp } from "../lib/stamps.ts";
import { Gateway } from "./lib/gateway.ts";
import { ManyHosts } from "./lib/many-hosts.ts";

const CLIENTS = 500;
const HOSTS = 10;
const ROWS = 20;
/** As long as a frame with one changed row is. */
const FRAME_BYTES = 700;
const PER_SECOND = 15;
const SPAN_MS = 4_000;
const DRAIN_MS = 500;
const ROUNDS = 4;

type Request = { readonly do: "listen" } | { readonly do: "send"; readonly ms: number };

interface Span extends Received {
  readonly cpuMs: number;
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What one change on another host costs the gateway for each of many subscribers, beside a server that only sends as many
 * bytes with ws. They take turns. */
export default async function fanout(): Promise<void> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  const raw = new Child<Request>(import.meta.url, "raw");
  const [ourClients, rawClients] = [new ManyClients(), new ManyClients()];
  let gateway: Gateway | undefined;
  try {
    await hosts.start(nats.url, HOSTS, ROWS);
    gateway = await Gateway.start(nats.url);
    const { endpoint, token, pid } = gateway.publisher;
    const url = `${endpoint.replace("http", "ws")}ws`;
    await ourClients.connect(CLIENTS, { url, token, isStated: true });
    await rawClients.connect(CLIENTS, { url: await raw.ask({ do: "listen" }), isStated: false });
    const spans: { ours: Span[]; raw: Span[] } = { ours: [], raw: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ours = await span(pid, ourClients, () => hosts.change(SPAN_MS, PER_SECOND));
      const alone = await span(raw.pid, rawClients, () => raw.ask({ do: "send", ms: SPAN_MS }));
      if (round === 0) continue;
      spans.ours.push(ours);
      spans.raw.push(alone);
    }
    const middle = (side: readonly Span[], of: (span: Span) => number) =>
      quantile(side.map(of), 0.5);
    const cost = ({ cpuMs, deliveries }: Span) => (1_000 * cpuMs) / deliveries;
    const [ours, theirs] = [middle(spans.ours, cost), middle(spans.raw, cost)];
    const p99 = (side: readonly Span[]) => middle(side, (one) => one.p99);
    report("cluster fanout", [
      {
        what: "CPU of the gateway for each delivery",
        unit: "µs",
        ours,
        baselines: { "ws alone": theirs },
      },
      { what: "the same, of ws alone", unit: "times", ours: ours / theirs, goal: { below: 1.3 } },
      { what: "p99", unit: "ms", ours: p99(spans.ours), baselines: { "ws alone": p99(spans.raw) } },
    ]);
  } finally {
    await Promise.all([ourClients.end(), rawClients.end(), raw.end()]);
    await gateway?.end();
    await hosts.end();
    await nats.end();
  }
}

/** Processor time and deliveries while frames go out. */
async function span(pid: number, clients: ManyClients, send: () => Promise<number>): Promise<Span> {
  await clients.collect();
  const meter = cpuMeter(pid);
  const frames = await send();
  await after(DRAIN_MS);
  const cpuMs = meter();
  const received = await clients.collect();
  if (received.deliveries !== frames * CLIENTS) {
    throw new Error(`Expected ${frames * CLIENTS} deliveries, got ${received.deliveries}`);
  }
  return { ...received, cpuMs };
}

function rawServer(): void {
  const { listen, send } = rawBroadcast(FRAME_BYTES);
  answerParent<Request>((request) =>
    request.do === "send"
      ? paced({ ms: request.ms, perSecond: PER_SECOND }, () => send(stamp()))
      : listen(),
  );
}

export const roles = { raw: rawServer };
