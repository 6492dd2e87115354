import { randomBytes } from "node:crypto";
import { chmod, link, lstat, rename, unlink } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** The longest path of a Unix socket in bytes: `sun_path` of unix(7) and unix(4), without its NUL. */
export const MAX_SOCKET_PATH = process.platform === "linux" ? 107 : 103;

/** A socket that is bound and has its public name. */
export interface PublishedSocket {
  /** Takes the public name away, where it is still this socket's. */
  unpublish(): Promise<void>;
  /** Whose the public name is now: this socket's, nobody's or another's. */
  standing(): Promise<"ours" | "gone" | "taken">;
}

/** Binds the server under a private name in the folder of `path`, and publishes it at `path`: whoever
 * finds the public name finds a socket that answers and that only its owner may use. The name that a
 * dead process left is replaced; that of a live one is refused. */
export async function publishSocket(server: Server, path: string): Promise<PublishedSocket> {
  const folder = dirname(path);
  const draft = join(folder, `.${randomBytes(4).toString("hex")}`);
  requireLength(path);
  requireLength(draft);
  await requirePrivateFolder(folder);
  await listen(server, draft);
  try {
    await chmod(draft, 0o600);
    const ours = await lstat(draft);
    await nameIt(draft, path);
    const standing = async () => {
      const there = await lstat(path).catch(ifMissing);
      if (there === undefined) return "gone";
      return there.ino === ours.ino && there.dev === ours.dev ? "ours" : "taken";
    };
    return {
      standing,
      async unpublish() {
        // Whoever removes it meanwhile does what was to be done.
        if ((await standing()) === "ours") await unlink(path).catch(ifMissing);
      },
    };
  } catch (error) {
    await new Promise((resolve) => server.close(resolve));
    throw error;
  }
}

/** Makes the folder, mode 0700, and throws unless it is its owner's alone. `uid` is who the owner must
 * be: this process's user. */
export async function requirePrivateFolder(
  folder: string,
  uid = process.getuid?.(),
): Promise<void> {
  await makeFolder(folder);
  await checkPrivateFolder(folder, uid);
}

/** Throws unless the folder is its owner's alone; `ENOENT` where there is none. */
export async function checkPrivateFolder(folder: string, uid = process.getuid?.()): Promise<void> {
  const stat = await lstat(folder);
  const must = `the folder of the socket, ${folder}, must`;
  if (stat.isSymbolicLink()) throw new Error(`${must} not be a symbolic link`);
  if (stat.uid !== uid) throw new Error(`${must} belong to you, it belongs to uid ${stat.uid}`);
  if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
    throw new Error(`${must} be closed to others, its mode is ${mode}; run: chmod 700 ${folder}`);
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function requireLength(path: string): void {
  const length = Buffer.byteLength(path);
  if (length <= MAX_SOCKET_PATH) return;
  throw new Error(
    `the path of a Unix socket must be at most ${MAX_SOCKET_PATH} bytes, ${path} has ${length}; choose a shorter runtime folder`,
  );
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Gives the socket its public name. A name that is free is taken by link(2), which never replaces; one
 * that a dead process left is replaced by rename(2), so that there is no moment without a name. */
async function nameIt(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await requireDead(path);
    await rename(draft, path);
    return;
  }
  await unlink(draft);
}

async function requireDead(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return;
  if (!stat.isSocket()) throw new Error(`${path} is in the way: it is not a socket`);
  const state = await probe(path);
  if (state === "live") {
    throw new Error(`another process listens on ${path}; stop it first, or choose another folder`);
  }
  if (state instanceof Error) {
    throw new Error(`${basename(path)} is in the way: ${state.message}`, { cause: state });
  }
}

/** What the errors of connect(2) say of a socket: EAGAIN that the queue of its listener is full. */
const PROBED: Readonly<Record<string, "live" | "dead">> = {
  ECONNREFUSED: "dead",
  ENOENT: "dead",
  EAGAIN: "live",
};

/** Whether somebody listens on the socket; what was in the way of telling. */
function probe(path: string): Promise<"live" | "dead" | Error> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("live");
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      resolve(PROBED[error.code ?? ""] ?? error);
    });
  });
}
