import type { TerminalInfo } from "../../../contract/terminals.ts";
import type { ProcessTable } from "../../../processes/types.ts";
import { type Clock, systemClock } from "../../../time/clock.ts";
import type { InOrder } from "../../in-order.ts";
import { ANSWER_MS, Pane } from "../../tmux/pane.ts";
import { ownServer } from "../../tmux/server.ts";
import type { OpenView } from "../view.ts";
import { Follower } from "./follower.ts";
import { ServerReads } from "./server-reads.ts";
import { TmuxView } from "./tmux-view.ts";

export interface TmuxViewParts {
  readonly table: ProcessTable;
  /** The one of all who type into terminals. */
  readonly order: InOrder;
  /** How long a tmux server may take, in milliseconds. Default ANSWER_MS. */
  readonly answerMs?: number;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
}

/** Looks at panes of the user's tmux, which stays as it is: each look is a command that only prints, and no client of ours is
 * ever attached. All who look at one pane share the looks at it. */
export function openTmuxView(parts: TmuxViewParts): OpenView {
  const { table, order, answerMs = ANSWER_MS, clock = systemClock } = parts;
  const followers = new Map<string, Follower>();

  const followerOf = (row: TerminalInfo, pane: Pane): Follower => {
    // A pane that was started anew is another terminal.
    const name = `${row.id} ${pane.rootPid}`;
    const known = followers.get(name);
    if (known !== undefined) return known;
    const { serverPid } = pane.id;
    // A server in another pid namespace states numbers of its own.
    const isSeen = ownServer(serverPid, table) !== undefined;
    const follower = new Follower({
      pane,
      reads: isSeen ? ServerReads.of(serverPid) : undefined,
      clock,
      ended: () => followers.delete(name),
    });
    followers.set(name, follower);
    return follower;
  };

  return async (row, looker, signal) => {
    const pane = new Pane(row, table, answerMs);
    const view = new TmuxView({ row, looker, pane, order, table, answerMs, clock });
    await view.begin(followerOf(row, pane), signal);
    return view;
  };
}
