import { NatsServer } from "../../../test/lib/nats/server.ts";
import { quantile } from "../../lib/figures.ts";
import { cpuMeter } from "../../lib/publisher.ts";
import { nowAt, stampsIn } from "../../lib/stamps.ts";
import { Gateway } from "../lib/gateway.ts";
import type { Point } from "./measured.ts";
import { residentBytes } from "./resident.ts";
import { Writer, type Written } from "./writer.ts";

/** How many values are written in a second beside the heartbeats, and for how long. */
const PER_SECOND = 200;
const SPAN_MS = 1_600;
/** Before anything is measured: what has just begun compiles and collects. */
const WARM_UP_MS = 1_000;

export interface Size {
  readonly instances: number;
  readonly rows: number;
}

interface Span extends Written {
  readonly elapsedMs: number;
  readonly gatewayMs: number;
  readonly busMs: number;
}

/** One gateway with one subscriber: the snapshot, then what values cost by what a span with more of them takes longer than one with
 * heartbeats alone. */
export async function measurePoint(size: Size): Promise<Point> {
  const nats = await NatsServer.start();
  const writer = new Writer();
  let gateway: Gateway | undefined;
  try {
    await writer.fill(nats.url, size.instances, size.rows);
    gateway = await Gateway.start(nats.url);
    const { snapshotMs, socket, latencies } = await shown(gateway, size.instances * size.rows);
    await writer.write(WARM_UP_MS, PER_SECOND, true);
    const pids = { gateway: gateway.pid, bus: nats.pid ?? Number.NaN };
    const beats = () => span(pids, () => writer.write(SPAN_MS, 0, false));
    const before = await beats();
    const unchanged = await span(pids, () => writer.write(SPAN_MS, PER_SECOND, false));
    latencies.length = 0;
    const changed = await span(pids, () => writer.write(SPAN_MS, PER_SECOND, true));
    // What has just begun grows cheaper: those before and after stand for those between.
    const quiet = middle(before, await beats());
    socket.close();
    const each = (of: keyof Span, { [of]: more, values }: Span) =>
      (more - quiet[of]) / (values - quiet.values);
    return {
      ...size,
      valueBytes: changed.bytes / changed.values,
      writeMs: each("cpuMs", unchanged),
      busMs: (each("busMs", unchanged) + each("busMs", changed)) / 2,
      unchangedMs: each("gatewayMs", unchanged),
      changedMs: each("gatewayMs", changed),
      quietMsPerSecond: (1_000 * quiet.gatewayMs) / quiet.elapsedMs,
      snapshotMs,
      gatewayBytes: residentBytes(gateway.pid),
      busBytes: residentBytes(pids.bus),
      changes: PER_SECOND,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    };
  } finally {
    await gateway?.end();
    await writer.end();
    await nats.end();
  }
}

/** Halfway between two spans. */
function middle(one: Span, other: Span): Span {
  const mean = (of: keyof Span) => (one[of] + other[of]) / 2;
  return {
    values: mean("values"),
    bytes: mean("bytes"),
    cpuMs: mean("cpuMs"),
    elapsedMs: mean("elapsedMs"),
    gatewayMs: mean("gatewayMs"),
    busMs: mean("busMs"),
  };
}

async function span(
  pids: { readonly gateway: number; readonly bus: number },
  write: () => Promise<Written>,
): Promise<Span> {
  const meters = [cpuMeter(pids.gateway), cpuMeter(pids.bus)] as const;
  const from = performance.now();
  const written = await write();
  const elapsedMs = performance.now() - from;
  return { ...written, elapsedMs, gatewayMs: meters[0](), busMs: meters[1]() };
}

/** Subscribes, and resolves once so many rows are there. */
async function shown(gateway: Gateway, expected: number) {
  let rows = 0;
  const latencies: number[] = [];
  let whole = () => {};
  const all = new Promise<void>((resolve) => {
    whole = resolve;
  });
  const from = performance.now();
  const socket = await gateway.subscribe((line) => {
    if (rows >= expected) {
      const now = nowAt();
      for (const sent of stampsIn(line.toString())) latencies.push(now - sent);
      return;
    }
    rows += JSON.parse(line.toString()).data?.terminals?.length ?? 0;
    if (rows >= expected) whole();
  });
  await all;
  return { snapshotMs: performance.now() - from, socket, latencies };
}
