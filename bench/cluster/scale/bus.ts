import { Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { NatsServer } from "../../../test/lib/nats/server.ts";
import { cpuMeter } from "../../lib/publisher.ts";
import { Gateway } from "../lib/gateway.ts";
import { ManyHosts } from "../lib/many-hosts.ts";
import { lineThrough } from "./line.ts";
import type { Measured, Rate } from "./measured.ts";
import { residentBytes } from "./resident.ts";
import { Writer } from "./writer.ts";

const SPAN_MS = 1_800;
const PER_SECOND = 100;
const RATES = [25, 100, 400] as const;
/** What has just begun compiles and collects. */
const SETTLE_MS = 1_500;
const WATCHERS = 8;
const SUBSCRIBERS = 80;
const HOSTS = [50, 300] as const;

export type BusSlopes = Pick<
  Measured,
  "busDeliveryMs" | "gatewayBaseMsPerSecond" | "gatewayFrameMs" | "busBytes" | "rates"
>;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What watchers cost the bus and subscribers a gateway, each by what a span with more of them takes longer; and what the bus holds
 * for each host that is connected. */
export async function measureBus(): Promise<BusSlopes> {
  const held: { x: number; y: number }[] = [];
  for (const hosts of HOSTS) held.push({ x: hosts, y: await bytesWith(hosts) });
  return { ...(await measureReaders()), busBytes: lineThrough(held) };
}

async function bytesWith(count: number): Promise<number> {
  const nats = await NatsServer.start();
  const hosts = new ManyHosts();
  try {
    await hosts.start(nats.url, count, 1);
    return residentBytes(nats.pid ?? Number.NaN);
  } finally {
    await hosts.end();
    await nats.end();
  }
}

async function measureReaders(): Promise<Omit<BusSlopes, "busBytes">> {
  const nats = await NatsServer.start();
  const writer = new Writer();
  let gateway: Gateway | undefined;
  const watching: NatsConnection[] = [];
  try {
    gateway = await Gateway.start(nats.url);
    let frames = 0;
    await gateway.subscribe(() => {
      frames += 1;
    });
    const { pid } = gateway;
    await after(SETTLE_MS);
    const meter = cpuMeter(pid);
    await after(SPAN_MS);
    const gatewayBaseMsPerSecond = (1_000 * meter()) / SPAN_MS;
    await writer.fill(nats.url, 100, 100);
    const change = async (perSecond = PER_SECOND) => {
      const meters = [cpuMeter(pid), cpuMeter(nats.pid ?? Number.NaN)] as const;
      const before = frames;
      const from = performance.now();
      const { values } = await writer.write(SPAN_MS, perSecond, true);
      const elapsedMs = performance.now() - from;
      return {
        elapsedMs,
        values,
        frames: frames - before,
        gatewayMs: meters[0](),
        busMs: meters[1](),
      };
    };
    await change();
    const rates: Rate[] = [];
    for (const changes of RATES) {
      const { elapsedMs, busMs, gatewayMs } = await change(changes);
      rates.push({ changes, busShare: busMs / elapsedMs, gatewayShare: gatewayMs / elapsedMs });
    }
    const alone = await change();
    for (let index = 0; index < WATCHERS; index += 1) watching.push(await watchAll(nats.url));
    const watched = await change();
    for (const connection of watching.splice(0)) await connection.close();
    for (let index = 0; index < SUBSCRIBERS; index += 1) await gateway.subscribe(() => {});
    const subscribed = await change();
    return {
      gatewayBaseMsPerSecond,
      rates,
      busDeliveryMs: Math.max(0, watched.busMs - alone.busMs) / (watched.values * WATCHERS),
      gatewayFrameMs:
        Math.max(0, subscribed.gatewayMs - alone.gatewayMs) / (subscribed.frames * SUBSCRIBERS),
    };
  } finally {
    for (const connection of watching) await connection.close();
    await gateway?.end();
    await writer.end();
    await nats.end();
  }
}

/** A watcher that does nothing with what comes. */
async function watchAll(url: string): Promise<NatsConnection> {
  const connection = await connect({ servers: url });
  const watch = await (await new Kvm(connection).open("termtopic")).watch({ include: "updates" });
  void (async () => {
    for await (const _ of watch);
  })();
  return connection;
}
