import type { CheckedDefinition, PolledCondition } from "../check.ts";
import type { MonitoredSession } from "../session.ts";
import type { Asking } from "./asking.ts";
import { commandSucceeds } from "./command.ts";
import { connectTo } from "./connect.ts";
import { httpReady } from "./http.ts";
import { isStill, pathLook } from "./path-look.ts";

/** Asks once whether a condition is met. It may reject where it cannot be told, and stops when it is given up. */
export type Probe = (asking: Asking) => Promise<boolean>;

/** The probe of a condition of a session. */
export function probeOf(
  condition: PolledCondition,
  { place, facts }: CheckedDefinition,
  { environment, sandbox }: Pick<MonitoredSession, "environment" | "sandbox">,
): Probe {
  if (condition.kind === "tcp_ready") return (asking) => tcpReady(condition, asking);
  if (condition.kind === "http_ready") {
    const url = new URL(condition.pattern);
    return (asking) => httpReady(url, asking);
  }
  if (place === undefined) throw new Error(`No place was looked up for ${condition.kind}`);
  switch (condition.kind) {
    case "path_exists": {
      const look = pathLook(place);
      return async () => (await look()) !== undefined;
    }
    case "path_changed": {
      const look = pathLook(place);
      return async () => !isStill(facts, await look());
    }
    case "path_size": {
      const look = pathLook(place);
      return async () => ((await look())?.size ?? -1n) >= BigInt(condition.minimum_bytes);
    }
    case "custom_probe": {
      const { command } = condition;
      const probe = { command, cwd: place, identity: facts?.identity, environment, sandbox };
      return ({ signal }) => commandSucceeds(probe, signal);
    }
  }
}

async function tcpReady(
  { host, port }: { host: string; port: number },
  asking: Asking,
): Promise<boolean> {
  const socket = await connectTo(host, port, asking);
  socket?.destroy();
  return socket !== undefined;
}
