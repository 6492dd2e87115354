import type { Client } from "../../inventory/tmux/ask.ts";
import { isServer } from "../../inventory/tmux/discovery.ts";
import { isSocket } from "../../inventory/tmux/socket.ts";
import { isOurs, listensOn } from "../../inventory/unix-sockets.ts";
import type { ProcessInfo, ProcessTable } from "../../processes/types.ts";
import { ActingError } from "../failure.ts";
import type { PaneId } from "./pane-id.ts";

export const SERVER_GONE = "its tmux server is no longer there";

/** How the server of a pane is asked: on its socket, with its own program where that can be seen. Throws an
 * `ActingError` where it cannot be. */
export function reachServer(pane: PaneId, table: ProcessTable): Client {
  const process = ownServer(pane.serverPid, table);
  if (process?.state === "T" || process?.state === "t") {
    throw new ActingError("no_answer", "its tmux server is suspended; SIGCONT makes it go on");
  }
  const there = pane.sockets.filter(isSocket);
  // Who listens where is in a list of all sockets of the system, which is read where there is a choice alone.
  const own = there.length > 1 && there.find((path) => listensOn(pane.serverPid, path));
  const socket = own || there[0];
  if (socket !== undefined) {
    return { program: process === undefined ? "tmux" : `/proc/${process.pid}/exe`, socket };
  }
  if (process === undefined) throw new ActingError("gone", SERVER_GONE);
  throw new ActingError(
    "no_answer",
    "the socket of its tmux server was deleted; SIGUSR1 makes tmux create it again",
  );
}

/** The process of a server. Absent where it cannot be seen, and where another has its number: a program is only run that is
 * a tmux server's, of this user. */
export function ownServer(pid: number, table: ProcessTable): ProcessInfo | undefined {
  const process = table.read(pid);
  return process !== undefined && isServer(process) && isOurs(pid) ? process : undefined;
}
