import {
  connectSupervisor,
  type SupervisorClient,
} from "../../host/supervisor/client/connect-supervisor.ts";
import { requirePlatform } from "../platform.ts";
import { hostThatRuns, ourHost } from "../reach-host.ts";

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
