import { WRITE_PERIOD_MS } from "../../../src/cluster/limits.ts";
import { BUSY_FLUSH_PERIOD_MS, FLUSH_PERIOD_MS } from "../../../src/topics/egress.ts";
import { BUSY_FRAMES_PER_SECOND } from "../../../src/topics/load.ts";
import { quantile } from "../../lib/figures.ts";
import { type Fleet, hostsRead, type Layout } from "./fleet.ts";
import { onLine } from "./line.ts";
import { framesOf, gatewayMsOf, loadOf } from "./load.ts";
import type { Measured } from "./measured.ts";
import { changeTimes, randomFrom } from "./random.ts";
import { trafficOf } from "./traffic.ts";

/** For how long it is simulated, and what of that is left out since nothing waits at the beginning, in milliseconds. */
const SPAN_MS = 15_000;
const WARM_UP_MS = 3_000;

/** One value on its way. `changedAt`: when the rows changed that it tells of. */
interface Passing {
  at: number;
  readonly shard: number;
  readonly busMs: number;
  readonly gatewayMs: number;
  readonly changedAt: readonly number[];
}

export interface Waits {
  /** From a change to the frame at a subscriber, in milliseconds. `undefined` where the gateway or a bucket has more to do than it
   * can: then it is late by more and more. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
}

/** Runs changes through three queues, each served in order: the bucket, the thread of one gateway, and its flushes. The times
 * between changes are random, with the same numbers in every run; the services take as long as they were measured to. */
export function waitsOf(fleet: Fleet, layout: Layout, measured: Measured): Waits {
  const { gatewayShare, bucketShare } = loadOf(fleet, layout, measured);
  if (Math.max(gatewayShare, bucketShare) >= 1) return { p50: undefined, p99: undefined };
  const passing = writesIn(fleet, layout, measured);
  serve(
    passing,
    ({ shard }) => shard,
    ({ busMs }) => busMs,
  );
  const frameMs = fleet.subscribers * fleet.asked * measured.gatewayFrameMs;
  serve(
    passing,
    () => 0,
    ({ gatewayMs, changedAt }) => gatewayMs + (changedAt.length > 0 ? frameMs : 0),
  );
  const isBusy = framesOf(fleet, layout) * fleet.subscribers > BUSY_FRAMES_PER_SECOND;
  const period = isBusy ? BUSY_FLUSH_PERIOD_MS : FLUSH_PERIOD_MS;
  const waits: number[] = [];
  let flushedAt = Number.NEGATIVE_INFINITY;
  for (const { at, changedAt } of passing) {
    if (changedAt.length === 0) continue;
    // One that comes while a flush is due goes with it.
    if (at > flushedAt) flushedAt = Math.max(at, flushedAt + period);
    for (const changed of changedAt) {
      if (changed >= WARM_UP_MS) waits.push(flushedAt - changed + measured.passageMs);
    }
  }
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
}

/** Serves what comes, in order, in one queue for each key, and puts it into the order in which it leaves. */
function serve(
  passing: Passing[],
  keyOf: (value: Passing) => number,
  msOf: (value: Passing) => number,
): void {
  passing.sort((a, b) => a.at - b.at);
  const freeAt = new Map<number, number>();
  for (const value of passing) {
    const key = keyOf(value);
    value.at = Math.max(value.at, freeAt.get(key) ?? 0) + msOf(value);
    freeAt.set(key, value.at);
  }
  passing.sort((a, b) => a.at - b.at);
}

/** All that the hosts write which a gateway reads. */
function writesIn(fleet: Fleet, layout: Layout, measured: Measured): Passing[] {
  const random = randomFrom(1);
  const [signs, changes] = trafficOf(fleet, layout);
  if (signs === undefined || changes === undefined) return [];
  const found: Passing[] = [];
  const add = (of: typeof signs, host: number, at: number, changedAt: readonly number[]) =>
    found.push({
      at,
      shard: host % layout.read,
      busMs: onLine(measured.busPutMs, of.rows),
      gatewayMs: gatewayMsOf(of, measured),
      changedAt,
    });
  for (let host = 0; host < Math.round(hostsRead(fleet, layout)); host += 1) {
    const every = 1_000 / signs.perSecond;
    for (let at = random() * every; at < SPAN_MS; at += every) add(signs, host, at, []);
    for (const [at, changedAt] of folded(changeTimes(fleet.changes, SPAN_MS, random))) {
      add(changes, host, at, changedAt);
    }
  }
  return found;
}

/** When they are written: the first at once, those within WRITE_PERIOD_MS of a write together when that is over. */
function folded(times: readonly number[]): [at: number, changedAt: number[]][] {
  const writes: [number, number[]][] = [];
  for (const changed of times) {
    const last = writes.at(-1);
    if (last !== undefined && changed <= last[0]) last[1].push(changed);
    else
      writes.push([
        Math.max(changed, (last?.[0] ?? -WRITE_PERIOD_MS) + WRITE_PERIOD_MS),
        [changed],
      ]);
  }
  return writes;
}
