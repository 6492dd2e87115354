import type { Logger } from "pino";
import type { TerminalOps } from "../acting/ops/call.ts";
import type { InstancePingResult } from "../contract/ping.ts";
import type { Clock } from "../time/clock.ts";
import type { TopicHub } from "../topics/reader.ts";
import type { Metrics } from "./metrics.ts";
import type { ServerIdentity } from "./options.ts";

/** What all connections of a server share. */
export interface Services {
  readonly hub: TopicHub;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What acts on terminals. Absent where nothing does. */
  readonly terminals?: TerminalOps;
  /** What `instance.ping` answers now. */
  ping(): InstancePingResult;
}
