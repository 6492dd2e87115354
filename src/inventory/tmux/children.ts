import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../../processes/types.ts";

/** A pane as its own process states it. */
export interface NamedPane {
  readonly number: number;
  readonly process: ProcessInfo;
}

/** The pane that a process names itself: tmux gives each pane's first process `TMUX` (socket, server pid,
 * session) and `TMUX_PANE`. `undefined` where it names none of its parent's, which is also so until it has
 * been through exec: its environment is then still the server's. Only a child of the server that leads a
 * session on a terminal is a pane's first process; others inherit the variables. */
export function paneOf(process: ProcessInfo, table: ProcessTable): NamedPane | undefined {
  if (process.tty === undefined || process.session !== process.pid) return undefined;
  const environment = table.environment(process.pid);
  const serverPid = /,(\d+),\d*$/.exec(environment?.get("TMUX") ?? "")?.[1];
  const number = /^%(\d{1,10})$/.exec(environment?.get("TMUX_PANE") ?? "")?.[1];
  if (number === undefined || Number(serverPid) !== process.parent) return undefined;
  return { number: Number(number), process };
}

/** The panes of a server that cannot be asked, by its children. Two children that name one pane (a popup
 * inherits somebody's variables) count once: the older is the pane's. */
export function panesOfServer(
  serverPid: number,
  snapshot: ProcessSnapshot,
  table: ProcessTable,
): NamedPane[] {
  const byNumber = new Map<number, NamedPane>();
  for (const child of snapshot.children(serverPid)) {
    const pane = paneOf(child, table);
    if (pane === undefined) continue;
    const other = byNumber.get(pane.number);
    if (other === undefined || BigInt(child.startTick) < BigInt(other.process.startTick)) {
      byNumber.set(pane.number, pane);
    }
  }
  return [...byNumber.values()];
}
