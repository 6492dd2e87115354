import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The socket that a server was started on: `zellij --server <path>`. `undefined` for any other process of zellij. */
export function serverSocket(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => /^--server(=|$)/.test(argument));
  const socket = argv[at]?.startsWith("--server=") ? argv[at].slice(9) : argv[at + 1];
  return at > 0 && socket?.startsWith("/") && basename(socket) !== "" ? socket : undefined;
}

export interface ServerSocket {
  readonly path: string;
  /** Whether a server that began later was started on the same path: the file there is that one's. */
  readonly isSuperseded: boolean;
}

/** Where a server listens now. A session that is renamed takes its socket along, and the server's arguments do not
 * tell: where one server has lost its socket, and one socket beside it has no server, they belong together. `all` are
 * the servers that live, `server` among them. `undefined` where it is not known. */
export async function currentSocket(
  server: ServerSocket,
  all: readonly ServerSocket[],
): Promise<string | undefined> {
  if (!server.isSuperseded && (await isSocket(server.path))) return server.path;
  const folder = dirname(server.path);
  const beside = all.filter(({ path }) => dirname(path) === folder);
  const owned = new Set(beside.filter(({ isSuperseded }) => !isSuperseded).map(({ path }) => path));
  const lost: ServerSocket[] = [];
  for (const one of beside) {
    if (one.isSuperseded || !(await isSocket(one.path))) lost.push(one);
  }
  const ownerless = (await socketsIn(folder)).filter((path) => !owned.has(path));
  const [socket] = ownerless;
  return lost.length === 1 && ownerless.length === 1 ? socket : undefined;
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSocket();
  } catch {
    return false;
  }
}

async function socketsIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSocket()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
