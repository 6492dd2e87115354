import { realpathSync } from "node:fs";
import { hostIdIn } from "../../acting/pty-id.ts";
import { paneIn } from "../../acting/tmux/pane-id.ts";
import { runtimeFolder, stateFolder } from "../../files/folders.ts";
import { hostPlaces } from "../../host/process/places.ts";
import { tmuxSocket } from "../../host/tmux/places.ts";
import { createProcessTable } from "../../processes/index.ts";
import { systemClock } from "../../time/clock.ts";
import { listedTerminals } from "../terminal/listed.ts";

/** A pane of the host's tmux has the name of its session, the session's id, with its window and its place there. */
const NAME = /^(terminal-t-[0-9a-f]{32}):/;

/** The id of the session that a row's id means. Undefined for what is no row's id. Rejects where the row is a pane that no
 * session runs in. */
export async function sessionOfRow(text: string): Promise<string | undefined> {
  const pane = paneIn(text);
  if (pane === undefined) return hostIdIn(text);
  const ours = realPath(tmuxSocket(hostPlaces(runtimeFolder(stateFolder())).tmux));
  if (!pane.sockets.some((socket) => realPath(socket) === ours)) {
    throw new Error(`${text} is no pane of the host's own tmux, so no session runs in it`);
  }
  const [row] = await listedTerminals(text, createProcessTable({ clock: systemClock }));
  const [, id] = NAME.exec(row?.name ?? "") ?? [];
  if (id !== undefined) return id;
  throw new Error(`there is no pane ${text} any more; \`supervise list\` has the sessions`);
}

/** The path as it is where nothing is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
