import { homedir } from "node:os";
import { Acting } from "../acting/acting.ts";
import type { TerminalOps } from "../acting/ops/call.ts";
import { PublishedTerminalOps } from "../acting/ops/terminal-ops.ts";
import type { ProcessTable } from "../processes/types.ts";
import { shareRuns } from "../time/share-runs.ts";
import type { HostTopics } from "../topics/host.ts";
import type { InventoryOptions } from "./options.ts";
import { hostThatRuns, ourHost } from "./reach-host.ts";

/** What acts on the terminals that a publisher states. Where it leaves those of the host out, it opens none: nobody would
 * see them. */
export function terminalOps(
  topics: HostTopics,
  table: ProcessTable,
  { source }: InventoryOptions,
): TerminalOps {
  const acting = new Acting({ table, channel: async () => (await hostThatRuns(table))?.channel });
  // Of several that are opened at once one starts the host.
  const reach = shareRuns(async () => (await ourHost(table)).channel);
  const statesHost = source === undefined || source.includes("pty");
  return new PublishedTerminalOps({
    acting,
    find: (id) => topics.terminal(id),
    ...(statesHost ? { opening: { reach, home: homedir() } } : {}),
  });
}
