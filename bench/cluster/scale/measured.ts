import type { Line, Plane } from "./line.ts";

/** What `npm run bench -- cluster/slopes` measured. Milliseconds are of one core's time, except in a snapshot. */
export interface Measured {
  readonly machine: string;
  /** The day, as YYYY-MM-DD. */
  readonly at: string;
  /** The load of the machine before it began, as uptime(1) tells it. */
  readonly load: number;
  /** Of the value of a host, compressed, by its terminals. */
  readonly valueBytes: Line;
  /** What a host needs to encode and write its value, by its terminals. */
  readonly writeMs: Line;
  /** What the bus needs to take a value and to give it to one watcher, by the terminals in it. */
  readonly busPutMs: Line;
  /** What the bus needs for each further watcher of a value of 100 terminals. */
  readonly busDeliveryMs: number;
  /** What a gateway needs for a value with nothing new, and with one changed row, by the terminals in it. */
  readonly gatewayUnchangedMs: Line;
  readonly gatewayChangedMs: Line;
  /** What a gateway with a subscriber needs in a second without any other host. */
  readonly gatewayBaseMsPerSecond: number;
  /** What a gateway needs for each subscriber of a frame with one row. */
  readonly gatewayFrameMs: number;
  /** From a subscription to all rows. Elapsed. */
  readonly snapshotMs: Plane;
  /** What a gateway holds. */
  readonly gatewayBytes: Plane;
  /** What the bus holds, by hosts that are connected and state nothing since nobody asks. */
  readonly busBytes: Line;
  /** What a change takes beyond what the bus and the gateway need for it: to be encoded, between processes, and to be read.
   * Elapsed. */
  readonly passageMs: number;
  /** What the slopes were drawn through. */
  readonly points: readonly Point[];
  /** A measurement that they were not drawn through. */
  readonly beyond: Point;
  /** What the bus and one gateway need by the changes in a second, at 100 hosts with 100 terminals. */
  readonly rates: readonly Rate[];
}

/** What was measured with so many made-up hosts. Milliseconds are of a core's time for one value, unless more is said. */
export interface Point {
  readonly instances: number;
  /** Of each. */
  readonly rows: number;
  readonly valueBytes: number;
  readonly writeMs: number;
  readonly busMs: number;
  readonly unchangedMs: number;
  readonly changedMs: number;
  /** What the gateway needs in a second of heartbeats alone. */
  readonly quietMsPerSecond: number;
  /** From the subscription to all rows. Elapsed. */
  readonly snapshotMs: number;
  readonly gatewayBytes: number;
  readonly busBytes: number;
  /** From a change to the subscriber, at `changes` of them in a second over all hosts. Elapsed. */
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Rate {
  readonly changes: number;
  /** Of one core. */
  readonly busShare: number;
  readonly gatewayShare: number;
}
