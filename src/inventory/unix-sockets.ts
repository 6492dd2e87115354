import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { shortageIn } from "../sources/shortage.ts";

/** Flag of a listening socket in /proc/net/unix (`__SO_ACCEPTCON`). */
const LISTENING = 0x10000;

/** Paths of listening sockets, by what a descriptor of them links to. An abstract one begins with `@`; one that was
 * bound to a relative path states that. Throws where the system has nothing left to read with. */
export function listeningSockets(): Map<string, string> {
  const sockets = new Map<string, string>();
  let text: string;
  try {
    text = readFileSync("/proc/net/unix", "utf8");
  } catch (error) {
    if (shortageIn(error) !== undefined) throw error;
    return sockets;
  }
  for (const line of text.split("\n")) {
    // Num RefCount Protocol Flags Type St Inode Path
    const fields = /^\S+ \S+ \S+ ([0-9A-F]{8}) \S+ \S+ +(\d+) (.+)$/.exec(line);
    if (fields === null) continue;
    const [, flags, inode, path] = fields as unknown as [string, string, string, string];
    if ((Number.parseInt(flags, 16) & LISTENING) !== 0) sockets.set(`socket:[${inode}]`, path);
  }
  return sockets;
}

/** Whether a process runs as the user that we run as. */
export function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.geteuid?.();
  } catch {
    return false;
  }
}

/** What the descriptors of a process link to. None where they cannot be read. Throws where the system has nothing left to
 * read with. */
export function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((descriptor) => {
      try {
        return [readlinkSync(join(folder, descriptor))];
      } catch {
        return [];
      }
    });
  } catch (error) {
    if (shortageIn(error) !== undefined) throw error;
    return [];
  }
}

/** Whether a process listens on a socket: somebody who made the file of another's socket anew does not. */
export function listensOn(pid: number, socket: string): boolean {
  const sockets = listeningSockets();
  return descriptorsOf(pid).some((target) => sockets.get(target) === socket);
}
