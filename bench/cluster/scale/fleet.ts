import type { Point } from "./measured.ts";

/** Hosts, and who looks at them. Rates are of one second. */
export interface Fleet {
  readonly hosts: number;
  /** Terminals of each host, and how often any of them changes its row. */
  readonly rows: number;
  readonly changes: number;
  /** Publishers that have subscribers, and how many each of them has. */
  readonly gateways: number;
  readonly subscribers: number;
  /** Which share of the hosts that a gateway reads each subscriber asks for. */
  readonly asked: number;
}

/** The one that was measured. */
export function fleetOf({ instances, rows, changes }: Point): Fleet {
  const each = changes / instances;
  return { hosts: instances, rows, changes: each, gateways: 1, subscribers: 1, asked: 1 };
}

/** How what hosts state is laid out on the bus. */
export interface Layout {
  readonly name: string;
  /** What a sign of life carries that says nothing new: all rows, or none. */
  readonly heartbeat: "whole" | "head";
  /** What a change carries: all rows of its host, or those that changed. In the latter case the whole is written every
   * CHECKPOINT_S beside it, for newcomers. */
  readonly change: "whole" | "rows";
  /** Among how many buckets the hosts are divided, and how many of those a gateway reads. */
  readonly shards: number;
  readonly read: number;
  /** How many places keep a copy of what their gateways read. 0: each gateway reads from the hub itself. */
  readonly sites: number;
}

/** How often the whole is written where changes carry only what changed, in seconds. */
export const CHECKPOINT_S = 30;

/** The product as it is, and three steps from there. Each has all that the one before it has. */
export const LAYOUTS = {
  today: {
    name: "as it is",
    heartbeat: "whole",
    change: "whole",
    shards: 1,
    read: 1,
    sites: 0,
  },
  light: {
    name: "signs of life without rows",
    heartbeat: "head",
    change: "whole",
    shards: 1,
    read: 1,
    sites: 0,
  },
  rows: {
    name: "changes without the other rows",
    heartbeat: "head",
    change: "rows",
    shards: 1,
    read: 1,
    sites: 0,
  },
  sharded: {
    name: "64 buckets, a gateway reads 4",
    heartbeat: "head",
    change: "rows",
    shards: 64,
    read: 4,
    sites: 0,
  },
  sites: {
    name: "and a copy at each of 20 sites",
    heartbeat: "head",
    change: "rows",
    shards: 64,
    read: 4,
    sites: 20,
  },
} as const satisfies Record<string, Layout>;

/** How many hosts a gateway reads. */
export const hostsRead = ({ hosts }: Fleet, { shards, read }: Layout): number =>
  (hosts * read) / shards;
