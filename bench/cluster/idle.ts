import { NatsServer } from "../../test/lib/nats/server.ts";
import { report } from "../host/lib/report.ts";
import { childrenOf, cpuMeter } from "../lib/publisher.ts";
import { Gateway } from "./lib/gateway.ts";
import { ManyHosts } from "./lib/many-hosts.ts";

const OTHERS = 20;
/** How long it is left alone before it is measured: what has just begun compiles and collects. */
const SETTLE_MS = 15_000;
const SPAN_MS = 40_000;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What an instance costs that shares its rows with others, while nobody anywhere is subscribed. */
export default async function idle(): Promise<void> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  let gateway: Gateway | undefined;
  try {
    await hosts.start(nats.url, OTHERS, 100);
    gateway = await Gateway.start(nats.url);
    const { pid } = gateway;
    await after(SETTLE_MS);
    const meter = cpuMeter(pid);
    let children = 0;
    const end = performance.now() + SPAN_MS;
    while (performance.now() < end) {
      children = Math.max(children, childrenOf(pid).length);
      await after(250);
    }
    const share = (100 * meter()) / SPAN_MS;
    report("cluster idle", [
      {
        what: `one of ${OTHERS + 1} instances, nobody subscribed, of a core`,
        unit: "%",
        ours: share,
        goal: { below: 0.1 },
      },
      { what: "children seen", unit: "", ours: children, goal: { below: 1 } },
    ]);
  } finally {
    await gateway?.end();
    await hosts.end();
    await nats.end();
  }
}
