import { Counter, Gauge, type Registry } from "prom-client";
import type { Refusal } from "./members.ts";

/** What an instance counts about its part among many. */
export interface ClusterMetrics {
  /** Whether it takes part now. */
  joined(isJoined: boolean): void;
  refused(what: Refusal, count: number): void;
  written(bytes: number): void;
}

export function createClusterMetrics(registry: Registry): ClusterMetrics {
  const registers = [registry];
  const joined = new Gauge({
    name: "termtopic_cluster_joined",
    help: "Whether this instance shares its rows with others now",
    registers,
  });
  const refused = new Counter({
    name: "termtopic_cluster_refused_total",
    help: "What was not taken of other instances: keys, values and rows that claim another instance or cannot be read",
    labelNames: ["what"] as const,
    registers,
  });
  const writes = new Counter({
    name: "termtopic_cluster_writes_total",
    help: "Values written for other instances",
    registers,
  });
  const bytes = new Counter({
    name: "termtopic_cluster_written_bytes_total",
    help: "Bytes of the values written for other instances, compressed",
    registers,
  });
  return {
    joined: (isJoined) => joined.set(isJoined ? 1 : 0),
    refused: (what, count) => refused.inc({ what }, count),
    written(length) {
      writes.inc();
      bytes.inc(length);
    },
  };
}
