import { gunzipSync } from "node:zlib";
import { Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";
import { NatsServer } from "../../test/lib/nats/server.ts";
import { report } from "../host/lib/report.ts";
import { quantile } from "../lib/figures.ts";
import { Gateway } from "./lib/gateway.ts";
import { INSTANCES, ManyHosts, ROWS } from "./lib/many-hosts.ts";

const ROUNDS = 5;

/** How long a new gateway takes to show the rows of many hosts: to its first subscriber, from the subscription on, while others
 * read them elsewhere and while nobody did. Beside it: to read and parse the same values from the bus. */
export default async function snapshot(): Promise<void> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  try {
    await hosts.start(nats.url);
    const cold: number[] = [];
    const warm: number[] = [];
    const started: number[] = [];
    const raw: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      cold.push((await first(nats.url)).subscribed);
      const elsewhere = await Gateway.start(nats.url);
      const reader = await shown(elsewhere);
      raw.push(await parsed(nats.url));
      const { subscribed, sinceStart } = await first(nats.url);
      warm.push(subscribed);
      started.push(sinceStart);
      reader.close();
      await elsewhere.end();
    }
    const middle = (samples: readonly number[]) => quantile(samples, 0.5);
    const baselines = { "watch and parse": middle(raw) };
    const goal = { below: 500 };
    report("cluster snapshot", [
      {
        what: "10 000 rows of 100 hosts, from subscribing",
        unit: "ms",
        ours: middle(warm),
        goal,
        baselines,
      },
      {
        what: "the same, slowest",
        unit: "ms",
        ours: quantile(warm, 1),
        baselines: { "watch and parse": quantile(raw, 1) },
      },
      { what: "the same where nobody read them before", unit: "ms", ours: middle(cold) },
      { what: "from the start of the gateway's process", unit: "ms", ours: middle(started) },
    ]);
  } finally {
    await hosts.end();
    await nats.end();
  }
}

/** A gateway of its own, and how long its first subscriber waits for all rows. */
async function first(url: string): Promise<{ subscribed: number; sinceStart: number }> {
  const begun = performance.now();
  const gateway = await Gateway.start(url);
  const from = performance.now();
  const socket = await shown(gateway);
  const now = performance.now();
  socket.close();
  await gateway.end();
  return { subscribed: now - from, sinceStart: now - begun };
}

/** Subscribes, and resolves once the rows of all are there. */
async function shown(gateway: Gateway) {
  let rows = 0;
  let whole = () => {};
  const all = new Promise<void>((resolve) => {
    whole = resolve;
  });
  const socket = await gateway.subscribe((line) => {
    const { data } = JSON.parse(line.toString());
    rows += data?.terminals?.length ?? 0;
    if (rows >= INSTANCES * ROWS) whole();
  });
  await all;
  return socket;
}

/** The same values, read and parsed and no more. */
async function parsed(url: string): Promise<number> {
  const from = performance.now();
  const connection = await connect({ servers: url });
  const kv = await new Kvm(connection).open("termtopic");
  let rows = 0;
  for await (const { key, value } of await kv.watch({ key: "*.terminals" })) {
    const text = value[0] === 0x1f ? gunzipSync(value).toString() : Buffer.from(value).toString();
    if (key.endsWith(".terminals") && text !== "") rows += JSON.parse(text).rows.length;
    if (rows >= INSTANCES * ROWS) break;
  }
  const took = performance.now() - from;
  await connection.close();
  return took;
}
