import { HEARTBEAT_MS } from "../../../src/cluster/limits.ts";
import { BOOKMARK_MS } from "../../../src/contract/envelope.ts";
import { type Fleet, hostsRead, type Layout } from "./fleet.ts";
import { onLine, onPlane } from "./line.ts";
import type { Measured } from "./measured.ts";
import { trafficOf, type Writes, writesOf } from "./traffic.ts";

/** What a fleet makes of work. Shares are of one core. */
export interface Load {
  readonly hostShare: number;
  readonly hubPutsPerSecond: number;
  readonly hubBytesPerSecond: number;
  readonly hubDeliveriesPerSecond: number;
  /** Of all cores of the hub together. */
  readonly hubShare: number;
  /** Of what one bucket can do, which takes one value after the other. */
  readonly bucketShare: number;
  /** Of the one thread that a gateway has. */
  readonly gatewayShare: number;
  readonly gatewayBytes: number;
  readonly snapshotMs: number;
}

/** By the measured slopes alone: nothing waits for anything here. */
export function loadOf(fleet: Fleet, layout: Layout, measured: Measured): Load {
  const traffic = trafficOf(fleet, layout);
  const { hosts, gateways } = fleet;
  const read = hostsRead(fleet, layout);
  const sum = (of: (writes: Writes) => number, among = traffic) =>
    among.reduce((total, writes) => total + writes.perSecond * of(writes), 0);
  const taken = traffic.filter(({ isRead }) => isRead);
  const bytesOf = ({ rows }: Writes) => onLine(measured.valueBytes, rows);
  // A put was measured with one watcher.
  const putMsOf = ({ rows }: Writes) =>
    Math.max(0, onLine(measured.busPutMs, rows) - measured.busDeliveryMs);
  const readers = layout.sites > 0 ? Math.min(layout.sites, gateways) : gateways;
  const deliveries = readers * read * sum(() => 1, taken) + interestsOf(fleet, layout);
  return {
    hostShare: sum(({ rows }) => onLine(measured.writeMs, rows)) / 1_000,
    hubPutsPerSecond: hosts * sum(() => 1),
    hubBytesPerSecond: hosts * sum(bytesOf),
    hubDeliveriesPerSecond: deliveries,
    hubShare: (hosts * sum(putMsOf) + deliveries * measured.busDeliveryMs) / 1_000,
    bucketShare:
      ((hosts / layout.shards) * sum(({ rows }) => onLine(measured.busPutMs, rows))) / 1_000,
    gatewayShare:
      (measured.gatewayBaseMsPerSecond +
        read * sum((writes) => gatewayMsOf(writes, measured), taken) +
        framesOf(fleet, layout) * fleet.subscribers * measured.gatewayFrameMs) /
      1_000,
    gatewayBytes: onPlane(measured.gatewayBytes, read, read * fleet.rows),
    snapshotMs: onPlane(measured.snapshotMs, read, read * fleet.rows),
  };
}

/** What a gateway needs for a value, without what its further subscribers cost. */
export const gatewayMsOf = ({ rows, isNews }: Writes, measured: Measured): number =>
  onLine(isNews ? measured.gatewayChangedMs : measured.gatewayUnchangedMs, rows);

/** Frames a second to one subscriber: of each host that it asks for, its changes and its bookmarks. */
export const framesOf = (fleet: Fleet, layout: Layout): number =>
  fleet.asked * hostsRead(fleet, layout) * (writesOf(fleet.changes) + 1_000 / BOOKMARK_MS);

/** Renewals of interest that hosts are told of in a second: each gateway's go to all hosts that it reads. */
export const interestsOf = (fleet: Fleet, layout: Layout): number =>
  (fleet.gateways * hostsRead(fleet, layout) * 1_000) / HEARTBEAT_MS;
