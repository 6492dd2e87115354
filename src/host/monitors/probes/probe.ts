import type { CheckedDefinition, PolledCondition } from "../check.ts";
import { factsOf } from "../places.ts";
import type { MonitoredSession } from "../session.ts";
import { commandSucceeds } from "./command.ts";
import { connectTo } from "./connect.ts";
import { httpReady } from "./http.ts";

/** Asks once whether a condition is met. It may reject where it cannot be told, and stops at the signal. */
export type Probe = (signal: AbortSignal) => Promise<boolean>;

/** The probe of a condition of a session. */
export function probeOf(
  condition: PolledCondition,
  { place, facts }: CheckedDefinition,
  { environment, sandbox }: Pick<MonitoredSession, "environment" | "sandbox">,
): Probe {
  if (condition.kind === "tcp_ready") return (signal) => tcpReady(condition, signal);
  if (condition.kind === "http_ready") {
    const url = new URL(condition.pattern);
    return (signal) => httpReady(url, signal);
  }
  if (place === undefined) throw new Error(`No place was looked up for ${condition.kind}`);
  switch (condition.kind) {
    case "path_exists":
      return async () => (await factsOf(place)) !== undefined;
    case "path_changed":
      return async () => {
        const now = await factsOf(place);
        return (
          now?.identity !== facts?.identity ||
          now?.size !== facts?.size ||
          now?.writtenAt !== facts?.writtenAt
        );
      };
    case "path_size":
      return async () => ((await factsOf(place))?.size ?? -1n) >= BigInt(condition.minimum_bytes);
    case "custom_probe": {
      const { command } = condition;
      const probe = { command, cwd: place, identity: facts?.identity, environment, sandbox };
      return (signal) => commandSucceeds(probe, signal);
    }
  }
}

async function tcpReady(
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<boolean> {
  const socket = await connectTo(host, port, signal);
  socket?.destroy();
  return socket !== undefined;
}
