import { NatsServer } from "../../../test/lib/nats/server.ts";
import { cpuMeter } from "../../lib/publisher.ts";
import { Gateway } from "../lib/gateway.ts";
import { residentBytes } from "./resident.ts";
import { Writer, type Written } from "./writer.ts";

/** How many values are written in a second beside the heartbeats, and for how long. */
const PER_SECOND = 100;
const SPAN_MS = 3_000;
const SETTLE_MS = 1_000;

export interface Size {
  readonly instances: number;
  readonly rows: number;
}

/** What was measured with so many made-up hosts. Milliseconds are of a core's time for one value, except of the snapshot. */
export interface Point extends Size {
  readonly valueBytes: number;
  readonly writeMs: number;
  readonly busMs: number;
  readonly unchangedMs: number;
  readonly changedMs: number;
  readonly quietMsPerSecond: number;
  readonly snapshotMs: number;
  readonly gatewayBytes: number;
}

interface Span extends Written {
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
    const { snapshotMs, socket } = await shown(gateway, size.instances * size.rows);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const pids = { gateway: gateway.pid, bus: nats.pid ?? Number.NaN };
    const quiet = await span(pids, () => writer.write(SPAN_MS, 0, false));
    const unchanged = await span(pids, () => writer.write(SPAN_MS, PER_SECOND, false));
    const changed = await span(pids, () => writer.write(SPAN_MS, PER_SECOND, true));
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
      quietMsPerSecond: (1_000 * quiet.gatewayMs) / SPAN_MS,
      snapshotMs,
      gatewayBytes: residentBytes(gateway.pid),
    };
  } finally {
    await gateway?.end();
    await writer.end();
    await nats.end();
  }
}

async function span(
  pids: { readonly gateway: number; readonly bus: number },
  write: () => Promise<Written>,
): Promise<Span> {
  const meters = [cpuMeter(pids.gateway), cpuMeter(pids.bus)] as const;
  const written = await write();
  return { ...written, gatewayMs: meters[0](), busMs: meters[1]() };
}

/** Subscribes, and resolves once so many rows are there. */
async function shown(gateway: Gateway, expected: number) {
  let rows = 0;
  let whole = () => {};
  const all = new Promise<void>((resolve) => {
    whole = resolve;
  });
  const from = performance.now();
  const socket = await gateway.subscribe((line) => {
    if (rows >= expected) return;
    rows += JSON.parse(line.toString()).data?.terminals?.length ?? 0;
    if (rows >= expected) whole();
  });
  await all;
  return { snapshotMs: performance.now() - from, socket };
}
