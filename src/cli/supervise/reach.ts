import { setTimeout as pause } from "node:timers/promises";
import {
  connectSupervisor,
  type SupervisorClient,
} from "../../host/supervisor/client/connect-supervisor.ts";
import { SupervisorError } from "../../host/supervisor/client/failure.ts";
import { requirePlatform } from "../platform.ts";
import { hostThatRuns, ourHost } from "../reach-host.ts";

/** How often it is looked for the next host, in milliseconds. */
const LOOK_MS = 250;

/** Does something over a connection to the supervisor of the host that runs; `starts`: of one that is started where none
 * does. The connection is ended afterwards. */
export async function onSupervisor<Result>(
  starts: boolean,
  run: (client: SupervisorClient) => Promise<Result>,
): Promise<Result> {
  requirePlatform();
  const host = starts ? await ourHost() : await hostThatRuns();
  if (host === undefined) {
    throw new Error("no terminal host runs; `termtopic supervise start` starts one and a session");
  }
  const client = await connectSupervisor({ path: host.supervisor });
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

/** Whether a host ended, or the connection to it did. */
export const isLost = (error: unknown): boolean =>
  error instanceof SupervisorError && (error.reason === "lost" || error.reason === "unreachable");

/** A connection to the next host, whoever starts that. Undefined where the signal comes before. */
export async function nextSupervisor(signal: AbortSignal): Promise<SupervisorClient | undefined> {
  while (!signal.aborted) {
    const host = await hostThatRuns();
    try {
      if (host !== undefined) return await connectSupervisor({ path: host.supervisor });
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}
