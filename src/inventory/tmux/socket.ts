import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { shortageIn } from "../../sources/shortage.ts";
import { idPart } from "../../sources/text.ts";

/** The folders in which tmux makes its sockets: `tmux-<uid>` below `$TMUX_TMPDIR` and below /tmp, which it
 * falls back to. The user's shells may have another environment than we do, so both count. */
export function defaultSocketFolders(
  environment: NodeJS.ProcessEnv = process.env,
  uid = process.getuid?.() ?? 0,
): string[] {
  const bases = [environment["TMUX_TMPDIR"], "/tmp"].filter((base) => base?.startsWith("/"));
  return [...new Set(bases.map((base) => realPath(join(base as string, `tmux-${uid}`))))];
}

/** The one spelling of a path, links resolved as far as it exists: tmux spells its default folder so, and a
 * place that is spelled twice would be two. */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}

/** How a socket is named in ids: by its file in a default folder, else by the whole path. */
export function socketName(path: string, folders: readonly string[]): string {
  return idPart(folders.includes(dirname(path)) ? basename(path) : path);
}

/** The sockets in a folder. None where it cannot be read or is not there. Throws where the system has nothing left to
 * read with. */
export function socketsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSocket())
      .map((entry) => join(folder, entry.name));
  } catch (error) {
    if (shortageIn(error) !== undefined) throw error;
    return [];
  }
}

export function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}

/** Whether somebody listens on a socket. tmux leaves its file behind when it ends, so most of those that no
 * server is known for are dead; to ask the kernel is cheaper than to run a client. A socket that we may not
 * open, or cannot for want of descriptors, counts as one that somebody listens on. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      settle(error.code === "EACCES" || error.code === "EPERM" || shortageIn(error) !== undefined),
    );
  });
}
