import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { measureBus } from "./scale/bus.ts";
import { lineThrough } from "./scale/line.ts";
import type { Measured } from "./scale/measured.ts";
import { measurePoint, type Point } from "./scale/point.ts";

const FILE = fileURLToPath(new URL("scale/measured.json", import.meta.url));

/** Hosts and terminals of each. The slopes are those of the first; the last is what the model is held against. */
const SIZES = [
  { instances: 100, rows: 10 },
  { instances: 100, rows: 100 },
  { instances: 100, rows: 400 },
] as const;
const BEYOND = { instances: 1_000, rows: 100 } as const;

/** What grows how: bytes, processor time and memory by terminals, values, subscribers and hosts, of a gateway and of the bus. With
 * WRITE=1 in the environment they become those that the simulation and docs/scale.md reckon with. */
export default async function slopes(): Promise<void> {
  const points: Point[] = [];
  for (const size of SIZES) points.push(await measurePoint(size));
  const beyond = await measurePoint(BEYOND);
  const bus = await measureBus();
  for (const point of [...points, beyond]) console.log(lineOf(point));
  const by = (of: (point: Point) => number) =>
    lineThrough(points.map((point) => ({ x: point.rows, y: of(point) })));
  const total = (of: (point: Point) => number) =>
    lineThrough(points.map((point) => ({ x: point.instances * point.rows, y: of(point) })));
  const measured: Measured = {
    machine: `${cpus().length} cores of ${cpus()[0]?.model ?? "unknown"}, nats-server 2.9.10, Node ${process.version}`,
    at: new Date().toISOString().slice(0, 10),
    valueBytes: by((point) => point.valueBytes),
    writeMs: by((point) => point.writeMs),
    busPutMs: by((point) => point.busMs),
    gatewayUnchangedMs: by((point) => point.unchangedMs),
    gatewayChangedMs: by((point) => point.changedMs),
    snapshotMs: total((point) => point.snapshotMs),
    gatewayBytes: total((point) => point.gatewayBytes),
    ...bus,
    beyond: {
      instances: beyond.instances,
      rows: beyond.rows,
      snapshotMs: beyond.snapshotMs,
      gatewayBytes: beyond.gatewayBytes,
      quietMsPerSecond: beyond.quietMsPerSecond,
    },
  };
  const rounded = JSON.stringify(
    measured,
    (_, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value),
    2,
  );
  console.log(rounded);
  if (process.env["WRITE"] === "1") writeFileSync(FILE, `${rounded}\n`);
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
    `gateway ${(gatewayBytes / 2 ** 20).toFixed(0)} MiB`,
  ].join("  ");
}
