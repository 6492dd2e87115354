import type { Line } from "./line.ts";

/** What `npm run bench -- cluster/slopes` measured. Milliseconds are of one core's time, except in a snapshot. */
export interface Measured {
  readonly machine: string;
  /** The day, as YYYY-MM-DD. */
  readonly at: string;
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
  /** What a gateway needs for each subscriber of a frame with one row. */
  readonly gatewayFrameMs: number;
  /** From a subscription to all rows, by their number. Elapsed. */
  readonly snapshotMs: Line;
  /** What a gateway holds, by the rows of all. */
  readonly gatewayBytes: Line;
  /** What the bus holds, by hosts that are connected and state nothing since nobody asks. */
  readonly busBytes: Line;
  /** A point that the lines were not drawn through. `quietMsPerSecond`: what the gateway needs in a second of heartbeats. */
  readonly beyond: {
    readonly instances: number;
    readonly rows: number;
    readonly snapshotMs: number;
    readonly gatewayBytes: number;
    readonly quietMsPerSecond: number;
  };
}
