import { BOOKMARK_MS, MAX_FRAME_BYTES } from "../../../src/contract/envelope.ts";
import { HEARTBEAT_MS, LEASE_MS } from "../../../src/contract/instances.ts";
import { FLUSH_PERIOD_MS } from "../../../src/topics/egress.ts";

/** The bounds that the promises name, and what is added to them for a machine that is busy, in milliseconds. */
export interface Settings {
  readonly heartbeatMs: number;
  readonly leaseMs: number;
  /** How much longer than a heartbeat an instance may be silent before it is called stale. */
  readonly staleMarginMs: number;
  readonly bookmarkMs: number;
  readonly flushMs: number;
  readonly maxFrameBytes: number;
  /** How late anything may be. */
  readonly marginMs: number;
  /** How long connections may take to come back after a disturbance. */
  readonly settleMs: number;
  /** How long a change may take to each reader. */
  readonly convergeMs: number;
  /** The code of a connection that is closed since it takes nothing. */
  readonly tooSlowCode: number;
  /** What of a row the truth knows. */
  valueOf(row: object): unknown;
}

export const SETTINGS: Settings = {
  heartbeatMs: HEARTBEAT_MS,
  leaseMs: LEASE_MS,
  staleMarginMs: 2_500,
  bookmarkMs: BOOKMARK_MS,
  flushMs: FLUSH_PERIOD_MS,
  maxFrameBytes: MAX_FRAME_BYTES,
  marginMs: 3_000,
  settleMs: 6_000,
  convergeMs: 6_000,
  tooSlowCode: 4_408,
  valueOf: (row) => Reflect.get(row, "title"),
};
