import { HEARTBEAT_MS, WRITE_PERIOD_MS } from "../../../src/cluster/limits.ts";
import { BOOKMARK_MS } from "../../../src/contract/envelope.ts";
import { CHECKPOINT_S, type Fleet, type Layout } from "./fleet.ts";

/** One kind of value that a host writes: how often in a second, and with how many rows. */
export interface Writes {
  readonly perSecond: number;
  readonly rows: number;
  readonly isNews: boolean;
  /** Whether gateways take it as it comes. Else it is there for newcomers. */
  readonly isRead: boolean;
}

/** Signs of life that tell nothing of rows: heartbeats, and the bookmarks of the host's own readings. */
const SIGNS_PER_SECOND = 1_000 / HEARTBEAT_MS + 1_000 / BOOKMARK_MS;

/** How many writes so many changes a second make: those that come within WRITE_PERIOD_MS of one go together. */
export const writesOf = (changes: number): number =>
  changes / (1 + (changes * WRITE_PERIOD_MS) / 1_000);

/** All that one host writes. */
export function trafficOf({ rows, changes }: Fleet, layout: Layout): readonly Writes[] {
  const signs: Writes = {
    perSecond: SIGNS_PER_SECOND,
    rows: layout.heartbeat === "whole" ? rows : 0,
    isNews: false,
    isRead: true,
  };
  const changed = { perSecond: writesOf(changes), isNews: true, isRead: true };
  if (layout.change === "whole") return [signs, { ...changed, rows }];
  const checkpoint = { perSecond: 1 / CHECKPOINT_S, rows, isNews: false, isRead: false };
  return [signs, { ...changed, rows: 1 }, checkpoint];
}
