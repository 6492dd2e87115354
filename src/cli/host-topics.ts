import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import type { InstanceId } from "../contract/identifiers.ts";
import type { HostFace } from "../host/process/run.ts";
import { type ListedTerminals, offerHostTerminals } from "../host/process/topic.ts";
import type { ProcessTable } from "../processes/types.ts";
import { createMetrics } from "../server/metrics.ts";
import { Peers } from "../server/peers.ts";
import { carryUnix } from "../server/unix.ts";
import type { Clock } from "../time/clock.ts";
import { Topics } from "../topics/hub.ts";
import { VERSION } from "./version.ts";

export interface HostTopicsOptions {
  readonly terminals: ListedTerminals;
  /** That of the state folder: the same as the publisher's, so that rows can pass on unchanged. */
  readonly instance: InstanceId;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly log: Logger;
}

/** Serves the topic of a host's terminals as a publisher serves its own. */
export function topicsFace(options: HostTopicsOptions): HostFace {
  const { instance, clock, log } = options;
  const topics = new Topics({ clock });
  const hostName = hostname();
  const topic = offerHostTerminals({
    ...options,
    topics,
    epoch: randomBytes(8).toString("hex"),
    self: { id: instance, host: hostName, reachable: true },
  });
  const startedAt = clock.now();
  const peers = new Peers({
    hub: topics,
    identity: { instance, version: VERSION, startedAt, hostName },
    clock,
    log,
    metrics: createMetrics(),
    ping: () => ({
      instance,
      version: VERSION,
      pid: process.pid,
      started_at: startedAt,
      clients: peers.size,
      exe: process.execPath,
      ...(process.argv[1] !== undefined && { script: process.argv[1] }),
      http: [],
      network: "off",
    }),
  });
  return {
    accept: (socket) => carryUnix(socket, peers, clock),
    refusal: (why) => {
      const error = { code: "rate_limited", msg: why };
      return Buffer.from(`${JSON.stringify({ ok: false, error })}\n`);
    },
    async close() {
      topic.end();
      await peers.closeAll("going_away");
    },
  };
}
