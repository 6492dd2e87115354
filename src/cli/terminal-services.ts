import { homedir } from "node:os";
import { Acting } from "../acting/acting.ts";
import type { TerminalOps } from "../acting/ops/call.ts";
import { PublishedTerminalOps } from "../acting/ops/terminal-ops.ts";
import { openHyouiView } from "../acting/views/hyoui.ts";
import { openPtyView } from "../acting/views/pty.ts";
import { PublishedViews, type Views } from "../acting/views/published.ts";
import type { ProcessTable } from "../processes/types.ts";
import { shareRuns } from "../time/share-runs.ts";
import type { HostTopics } from "../topics/host.ts";
import type { InventoryOptions } from "./options.ts";
import { hostThatRuns, ourHost } from "./reach-host.ts";

/** What is done with the terminals that a publisher states: requests about them, and views of them. */
export interface TerminalServices {
  readonly terminals: TerminalOps;
  readonly views: Views;
}

/** What acts on the terminals that a publisher states. Where it leaves those of the host out, it opens none: nobody would
 * see them. */
export function terminalServices(
  instance: string,
  topics: HostTopics,
  table: ProcessTable,
  { source }: InventoryOptions,
): TerminalServices {
  const channel = async () => (await hostThatRuns(table))?.channel;
  const acting = new Acting({ table, channel });
  const find = (id: string) => topics.terminal(id);
  // Of several that are opened at once one starts the host.
  const reach = shareRuns(async () => (await ourHost(table)).channel);
  const statesHost = source === undefined || source.includes("pty");
  return {
    terminals: new PublishedTerminalOps({
      acting,
      find,
      gone: (id) => topics.gone(id),
      ...(statesHost
        ? { opening: { reach, home: homedir(), listed: (id) => topics.opened(id) } }
        : {}),
    }),
    views: new PublishedViews({
      instance,
      find,
      // Schemes that are not here are answered in words: how the terminal is reached instead.
      schemes: {
        pty: openPtyView(channel),
        tmux: acting.openTmuxView,
        hyoui: openHyouiView({ reach, table }),
      },
    }),
  };
}
