import type { Logger } from "pino";
import type { TerminalOps } from "../acting/ops/call.ts";
import type { Views } from "../acting/views/published.ts";
import type { InstanceId, Timestamp } from "../contract/identifiers.ts";
import type { Clock } from "../time/clock.ts";
import type { TopicHub } from "../topics/reader.ts";
import type { Metrics } from "./metrics.ts";
import type { Pages } from "./page/files.ts";

/** Who answers. It goes into every greeting. */
export interface ServerIdentity {
  readonly instance: InstanceId;
  /** The build, for display only. */
  readonly version: string;
  readonly startedAt: Timestamp;
  /** The host's name, for people. */
  readonly hostName: string;
}

export interface ServerOptions {
  /** The address or name to listen on. Default `127.0.0.1`. One that other hosts can reach needs
   * `allowPublic`. */
  readonly host?: string;
  /** 0 to 65535; 0 takes any free port. */
  readonly port: number;
  /** Whether `host` may be other than a loopback address. Default false. */
  readonly allowPublic?: boolean;
  /** Names that a `Host` header may hold beside the loopback names and the address that was
   * connected to. No port. Default none. */
  readonly allowHosts?: readonly string[];
  /** Origins whose pages may connect beside those served from here, each `https://name[:port]`.
   * Default none. */
  readonly allowOrigins?: readonly string[];
  /** Where the Unix socket is published. Its folder is made 0700, and refused if others could reach
   * into it. Absent: no Unix socket. */
  readonly socketPath?: string;
  /** What lets a connection in over HTTP (`loadToken`). */
  readonly token: string;
  /** What lets a connection in over HTTP that may look and not act. Default: nothing does. */
  readonly readOnlyToken?: string;
  readonly hub: TopicHub;
  /** What acts on terminals. Default: nothing, and the ops about them answer `capability_unavailable`. */
  readonly terminals?: TerminalOps;
  /** What opens views of terminals. Default: nothing, and their paths are not found. */
  readonly views?: Views;
  /** The pages as they were built. Default: none, and the page says so. */
  readonly pages?: Pages;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly log: Logger;
  /** Counts for `/metrics`. Hand in one that other floors write to as well; default: its own. */
  readonly metrics?: Metrics;
  /** The path that a proxy in front publishes this server under; it only shows in `endpoint`, for any
   * prefix is accepted. Begins and ends with `/`. Default `/`. */
  readonly endpointPath?: string;
  /** WebSockets at most, over all addresses. Default 4096. */
  readonly maxConnections?: number;
  /** WebSockets at most from one address. Default 2048: behind a proxy, or on a host of one's own,
   * everybody comes from one address. */
  readonly maxConnectionsPerAddress?: number;
}

/** `stop`: readers are told that the publisher is gone; `restart`: that it comes back. */
export type StopKind = "stop" | "restart";

export interface RunningServer {
  /** The base URL, for example `http://127.0.0.1:7117/`. */
  readonly endpoint: string;
  readonly port: number;
  /** Where the Unix socket is published; absent where none was asked for. */
  readonly socket?: string;
  readonly metrics: Metrics;
  /** How many connections are open now, over both carriers. */
  connections(): number;
  /** Stops accepting, tells every connection why, and closes it: `restart` sends the event
   * `restarting` and closes with CLOSE_CODES.restarting, `stop` closes with going_away. Who has not
   * closed after 2 s is cut. Resolves when all are closed and the Unix socket is unlinked. Frames that the
   * topics still owe (removals) have to be sent before. Calling it again waits for the same end. */
  stop(kind: StopKind): Promise<void>;
}
