import { isAbsolute, join } from "node:path";
import { defaultSocketFolders } from "../../inventory/tmux/socket.ts";

/** Which pane an id of a row means. */
export interface PaneId {
  /** Where its server's socket may be: names of sockets say no folder, and there may be two default ones. */
  readonly sockets: readonly string[];
  readonly serverPid: number;
  /** When the server began, in epoch seconds. */
  readonly startTime: number;
  /** The number behind `%`. */
  readonly number: number;
}

/** `tmux:<socket>@<server pid>.<server start_time>/<pane number>`, with as many digits as tmux and the kernel have. */
const ID = /^tmux:([A-Za-z0-9._%-]{1,8192})@(\d{1,10})\.(\d{1,15})\/(\d{1,10})$/;

/** Takes a row's id apart. `undefined` where it is none of a pane's. */
export function paneIn(id: string, folders = defaultSocketFolders()): PaneId | undefined {
  const [, part = "", pid, startTime, number] = ID.exec(id) ?? [];
  const name = decoded(part);
  if (name === undefined) return undefined;
  return {
    sockets: isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
    serverPid: Number(pid),
    startTime: Number(startTime),
    number: Number(number),
  };
}

/** A path is whole or the name of a file: anything between would be in a folder that nobody named. */
function decoded(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part);
    const isName = name !== "" && !name.includes("/") && name !== "." && name !== "..";
    return (isName || isAbsolute(name)) && !name.includes("\0") ? name : undefined;
  } catch {
    return undefined;
  }
}
