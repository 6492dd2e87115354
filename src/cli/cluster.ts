import type { Logger } from "pino";
import { DistantActing } from "../cluster/acting/acting.ts";
import { DEFAULT_BUCKET } from "../cluster/bucket-name.ts";
import { Cluster, type ClusterOptions } from "../cluster/cluster.ts";
import { authenticatorFrom } from "../cluster/credentials.ts";
import { createClusterMetrics } from "../cluster/metrics.ts";
import type { Metrics } from "../server/metrics.ts";
import { TerminalCalls } from "../server/terminal-calls.ts";
import type { ClusterFlags } from "./cluster-options.ts";
import { callsOfPeer } from "./peer-calls.ts";
import type { TerminalServices } from "./terminal-services.ts";

export interface ClusterGround
  extends Pick<ClusterOptions, "producer" | "topics" | "host" | "self" | "clock"> {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What is done with the terminals of this host. */
  readonly services: TerminalServices;
}

/** This host's part among many. */
export interface StartedCluster {
  /** Says how this host ends, and takes no part any more. */
  end(ending: Parameters<Cluster["end"]>[0]): Promise<void>;
  /** What is done with terminals, wherever they are. */
  readonly services: TerminalServices;
  /** Resolves, with the reason, where this host cannot be one of them from the start. Rejects never. */
  readonly refusal: Promise<string>;
}

/** How much of an id is logged, in UTF-16 units. */
const SHOWN = 128;

/** Makes this host one of many, where it is to be. Its own subscribers are served whatever becomes of that. */
export async function startCluster(
  { nats, natsCreds, natsCa, natsBucket = DEFAULT_BUCKET }: ClusterFlags,
  { log, metrics, services, ...ground }: ClusterGround,
): Promise<StartedCluster | undefined> {
  if (nats === undefined) return undefined;
  const counts = createClusterMetrics(metrics.registry);
  let hasJoined = false;
  let refuse = (_why: string) => {};
  const refusal = new Promise<string>((resolve) => {
    refuse = resolve;
  });
  const { terminals, views } = services;
  const { clock, producer } = ground;
  const calling = { terminals, clock, log, metrics, identity: producer };
  const acting = new DistantActing({
    instance: producer.instance,
    ...{ bucket: natsBucket, clock, terminals, views },
    callsFrom: (from) =>
      callsOfPeer(new TerminalCalls({ ...calling, log: log.child({ from }) }, "nats")),
    viewed({ terminal, ...rest }) {
      const beganAt = clock.monotonic();
      const looker = { terminal: terminal.slice(0, SHOWN), ...rest };
      log.info(looker, "viewed");
      return ({ shown, typed }) => {
        const ms = Math.round(clock.monotonic() - beganAt);
        log.info({ ...looker, shown, typed, ms }, "view ended");
      };
    },
  });
  const cluster = new Cluster(
    {
      ...ground,
      servers: nats,
      bucket: natsBucket,
      ...(natsCreds === undefined ? {} : { authenticator: await authenticatorFrom(natsCreds) }),
      ...(natsCa === undefined ? {} : { tls: { caFile: natsCa } }),
    },
    {
      connected: (connection) => {
        log.info({ server: connection.getServer() }, "connected to NATS");
        const over = acting.connected(connection);
        return () => {
          over();
          log.info("the connection to NATS is over");
        };
      },
      joined() {
        hasJoined = true;
        acting.up();
        counts.joined(true);
        log.info({ bucket: natsBucket }, "shares its terminals with other hosts");
      },
      left(why) {
        acting.down();
        counts.joined(false);
        log.warn({ why }, "NATS is out of reach: what is known of other hosts stays as it is");
      },
      refused(why) {
        // Whoever relies on a publisher that runs keeps it for this host.
        if (hasJoined) log.error({ why }, "this host is not shared with others any more");
        else refuse(why);
      },
      failed: (why) => log.warn({ why }, "NATS did not take something; it is tried again"),
      readsOnly: (why) => log.warn({ why }, "this host's own rows are not shared: it only reads"),
      waits: () =>
        log.warn(
          "a publisher with this instance's id was alive a moment ago: waiting for it to end",
        ),
      rejected(what, count, why) {
        counts.refused(what, count);
        log.warn({ what, count, why }, "not taken from another instance");
      },
      written: (bytes) => counts.written(bytes),
    },
  );
  return {
    services: acting,
    refusal,
    end(ending) {
      acting.stop();
      return cluster.end(ending);
    },
  };
}
