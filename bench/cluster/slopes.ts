import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { measureBus } from "./scale/bus.ts";
import { waitsOf } from "./scale/changes.ts";
import { fleetOf, LAYOUTS } from "./scale/fleet.ts";
import { lineThrough, planeThrough } from "./scale/line.ts";
import type { Measured, Point } from "./scale/measured.ts";
import { measurePoint, type Size } from "./scale/point.ts";

const FILE = fileURLToPath(new URL("scale/measured.json", import.meta.url));

/** Hosts and terminals of each. The slopes are those of all but the last, which the model is held against. */
const LEAST = { instances: 100, rows: 10 } as const;
const MORE = [
  { instances: 100, rows: 100 },
  { instances: 100, rows: 400 },
] as const;
/** What hosts cost beside their terminals. */
const HOSTS = { instances: 600, rows: 10 } as const;
const BEYOND = { instances: 1_000, rows: 100 } as const;

/** What grows how: bytes, processor time and memory by terminals, values, subscribers and hosts, of a gateway and of the bus. With
 * WRITE=1 in the environment they become those that the simulation and docs/scale.md reckon with. */
export default async function slopes(): Promise<void> {
  const [load = 0] = loadavg();
  const least = await measured(LEAST);
  const points = [least];
  for (const size of MORE) points.push(await measured(size));
  const hosts = await measured(HOSTS);
  const beyond = await measured(BEYOND);
  const bus = await measureBus();
  const by = (of: (point: Point) => number) =>
    lineThrough(points.map((point) => ({ x: point.rows, y: of(point) })));
  const total = (of: (point: Point) => number) => {
    const place = (point: Point) => {
      const { instances, rows } = point;
      return { hosts: instances, rows: instances * rows, y: of(point) };
    };
    return planeThrough(points.map(place), place(hosts));
  };
  const unwaited: Measured = {
    passageMs: 0,
    machine: `${cpus().length} cores of ${cpus()[0]?.model ?? "unknown"}, nats-server 2.9.10, Node ${process.version}`,
    load,
    at: new Date().toISOString().slice(0, 10),
    valueBytes: by((point) => point.valueBytes),
    writeMs: by((point) => point.writeMs),
    busPutMs: by((point) => point.busMs),
    gatewayUnchangedMs: by((point) => point.unchangedMs),
    gatewayChangedMs: by((point) => point.changedMs),
    snapshotMs: total((point) => point.snapshotMs),
    gatewayBytes: total((point) => point.gatewayBytes),
    ...bus,
    points: [...points, hosts],
    beyond,
  };
  // What is left of what a change takes once all that is simulated is taken off.
  const { p50: simulated = 0 } = waitsOf(fleetOf(least), LAYOUTS.today, unwaited);
  const found: Measured = { ...unwaited, passageMs: Math.max(0, least.p50 - simulated) };
  const rounded = JSON.stringify(
    found,
    (_, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value),
    2,
  );
  console.log(rounded);
  if (process.env["WRITE"] === "1") writeFileSync(FILE, `${rounded}\n`);
}

async function measured(size: Size): Promise<Point> {
  const point = await measurePoint(size);
  console.log(lineOf(point));
  return point;
}

function lineOf(point: Point): string {
  const { instances, rows, valueBytes, snapshotMs, gatewayBytes } = point;
  return [
    `${instances} hosts x ${rows}`.padEnd(18),
    `value ${valueBytes.toFixed(0)} bytes`,
    `written in ${point.writeMs.toFixed(2)} ms CPU`,
    `taken by the bus in ${point.busMs.toFixed(2)} ms`,
    `by a gateway in ${point.unchangedMs.toFixed(2)} ms unchanged, ${point.changedMs.toFixed(2)} ms changed`,
    `snapshot ${snapshotMs.toFixed(0)} ms`,
    `change p50 ${point.p50.toFixed(1)} p99 ${point.p99.toFixed(1)} ms`,
    `quiet ${point.quietMsPerSecond.toFixed(0)} ms/s`,
    `gateway ${(gatewayBytes / 2 ** 20).toFixed(0)} MiB`,
  ].join("  ");
}
