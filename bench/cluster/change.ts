import { Kvm } from "@nats-io/kv";
import { connect } from "@nats-io/transport-node";
import { NatsServer } from "../../test/lib/nats/server.ts";
import { report } from "../host/lib/report.ts";
import { quantile } from "../lib/figures.ts";
import { paced } from "../lib/paced.ts";
import { cpuMeter } from "../lib/publisher.ts";
import { MARK, nowAt, stamp, stampsIn } from "../lib/stamps.ts";
import { Gateway } from "./lib/gateway.ts";
import { INSTANCES, ManyHosts, ROWS } from "./lib/many-hosts.ts";

const PER_SECOND = 100;
const SPAN_MS = 8_000;
const ROUNDS = 3;
const DRAIN_MS = 500;
/** As long as a value of 100 rows is on the bus. */
const VALUE_BYTES = 3_500;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** From a change on any host to the frame at a subscriber of another, at 100 changes a second over 100 hosts. Beside it, in turn: from
 * a write of as many bytes to the bus to its watcher. */
export default async function change(): Promise<void> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  let gateway: Gateway | undefined;
  try {
    await hosts.start(nats.url);
    gateway = await Gateway.start(nats.url);
    let latencies: number[] = [];
    let rows = 0;
    let whole = () => {};
    const all = new Promise<void>((resolve) => {
      whole = resolve;
    });
    const socket = await gateway.subscribe((line) => {
      const now = nowAt();
      const text = line.toString();
      if (rows < INSTANCES * ROWS) {
        rows += JSON.parse(text).data?.terminals?.length ?? 0;
        if (rows >= INSTANCES * ROWS) whole();
        return;
      }
      for (const sent of stampsIn(text)) if (sent > 0) latencies.push(now - sent);
    });
    await all;
    await hosts.change(1_000, PER_SECOND);
    await after(DRAIN_MS);
    const ours: number[] = [];
    const raw: number[] = [];
    let used = 0;
    let made = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      latencies = [];
      const meter = cpuMeter(gateway.pid);
      made += await hosts.change(SPAN_MS, PER_SECOND);
      await after(DRAIN_MS);
      used += meter();
      ours.push(...latencies);
      raw.push(...(await rawSpan(nats.url)));
    }
    socket.close();
    const baselines = (share: number) => ({ "put to watch": quantile(raw, share) });
    report("cluster change", [
      {
        what: "a change to a subscriber elsewhere, p50",
        unit: "ms",
        ours: quantile(ours, 0.5),
        goal: { below: 10 },
        baselines: baselines(0.5),
      },
      {
        what: "the same, p99",
        unit: "ms",
        ours: quantile(ours, 0.99),
        goal: { below: 60 },
        baselines: baselines(0.99),
      },
      { what: "the same, max", unit: "ms", ours: quantile(ours, 1), baselines: baselines(1) },
      {
        what: "changes that arrived, of those made",
        unit: "%",
        ours: (100 * ours.length) / made,
        goal: { atLeast: 100 },
      },
      { what: "CPU of the gateway for each change", unit: "ms", ours: used / made },
    ]);
  } finally {
    await gateway?.end();
    await hosts.end();
    await nats.end();
  }
}

async function rawSpan(url: string): Promise<number[]> {
  const [writer, reader] = await Promise.all([
    connect({ servers: url }),
    connect({ servers: url }),
  ]);
  const from = await new Kvm(writer).create("raw", { history: 2 });
  const watch = await (await new Kvm(reader).open("raw")).watch({ include: "updates" });
  const latencies: number[] = [];
  const reading = (async () => {
    for await (const { value } of watch) {
      const [sent] = stampsIn(Buffer.from(value).toString());
      if (sent !== undefined) latencies.push(nowAt() - sent);
    }
  })();
  await paced({ ms: SPAN_MS, perSecond: PER_SECOND }, (made) => {
    void from.put(`host-${made % INSTANCES}`, `${MARK}${stamp()}`.padEnd(VALUE_BYTES));
  });
  await after(DRAIN_MS);
  watch.stop();
  await reading;
  await from.destroy();
  await Promise.all([writer.close(), reader.close()]);
  return latencies;
}
