import { constants } from "node:fs";
import { access, lstat, readFile, realpath } from "node:fs/promises";
import { SandboxRefusal } from "./refusal.ts";

/** How many sockets are closed one by one. Each is a mount. */
const MAX_SOCKETS = 512;

/** Real paths of the sockets that are bound on this host, that we may connect to and that `isOpen` says are in reach.
 * Read from proc(5), /proc/net/unix, which knows those of our own network namespace. Rejects with a SandboxRefusal where
 * there are too many. */
export async function socketsInReach(isOpen: (path: string) => boolean): Promise<string[]> {
  const table = await readFile("/proc/net/unix", "utf8").catch(() => "");
  const found = new Set<string>();
  for (const line of table.split("\n")) {
    const named = /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1];
    const path = named && (await reachable(named));
    if (path && isOpen(path)) found.add(path);
    if (found.size > MAX_SOCKETS) {
      throw new SandboxRefusal(
        `over ${MAX_SOCKETS} sockets lie outside the folders that a sandbox closes, more than can be closed one by one`,
      );
    }
  }
  return [...found];
}

async function reachable(named: string): Promise<string | undefined> {
  try {
    const path = await realpath(named);
    if (!(await lstat(path)).isSocket()) return undefined;
    await access(path, constants.W_OK);
    return path;
  } catch {
    return undefined;
  }
}
