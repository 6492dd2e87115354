import { dirname, isAbsolute, join } from "node:path";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../../processes/types.ts";
import { descriptorsOf, isOurs, listeningSockets } from "../unix-sockets.ts";
import { isListening, isSocket, realPath, socketsIn } from "./socket.ts";

/** A tmux server, or a socket behind which one may be. */
export interface ServerPlace {
  readonly socket: string;
  /** The server's process. Absent where it cannot be seen from here. */
  readonly process?: ProcessInfo;
  /** Whether the socket's file is there, so that the server can be asked. */
  readonly reachable: boolean;
}

/** Which servers are wanted: those on these sockets or in these folders, or where absent all of the user's. */
export type SocketFilter = readonly string[] | undefined;

/** The name that a tmux server gives itself (`tmux: server`); a client's is `tmux: client`. */
export const isServer = ({ name }: ProcessInfo) => name.startsWith("tmux: server");

/** Finds tmux servers by their processes and the sockets that these listen on, which shows servers on any path and those
 * whose socket was deleted; and by the socket files of the folders given, which shows what processes do not. */
export class Discovery {
  readonly #table: ProcessTable;
  readonly #folders: readonly string[];
  readonly #filter: SocketFilter;
  /** The socket of each server process seen, so that its descriptors are read once. */
  #known = new Map<string, string>();
  /** Who answered on a socket, where that was not the server that was asked. */
  readonly #answered = new Map<string, number>();

  constructor(table: ProcessTable, folders: readonly string[], filter: SocketFilter) {
    this.#table = table;
    this.#folders = folders;
    this.#filter = filter;
  }

  /** Takes note of who answers on a socket: a server that makes its deleted socket again takes the path from
   * one that was started on it meanwhile. */
  answers(socket: string, pid: number): void {
    this.#answered.set(socket, pid);
  }

  /** The file of the socket is another one by now; who has it is open again. */
  changed(socket: string): void {
    this.#answered.delete(socket);
  }

  async find(snapshot: ProcessSnapshot): Promise<ServerPlace[]> {
    const places = this.#byProcess(snapshot);
    const owned = new Set(places.map(({ socket }) => realPath(socket)));
    const files = this.#files().filter((socket) => !owned.has(socket));
    const listening = await Promise.all(files.map(isListening));
    const unowned = files.filter((_, index) => listening[index]);
    return [...places, ...unowned.map((socket) => ({ socket, reachable: true }))];
  }

  #byProcess(snapshot: ProcessSnapshot): ServerPlace[] {
    const known = new Map<string, string>();
    const wanted = this.#filter?.map(realPath);
    const found: Server[] = [];
    let listeners: Map<string, string> | undefined;
    for (const process of snapshot.all()) {
      if (!isServer(process)) continue;
      const key = `${process.pid} ${process.startTick}`;
      let socket = this.#known.get(key);
      if (socket === undefined) {
        listeners ??= listeningSockets();
        socket = this.#socketOf(process.pid, listeners);
      }
      if (socket === undefined) continue;
      known.set(key, socket);
      if (isAmong(socket, wanted)) found.push({ socket, process });
    }
    this.#known = known;
    const servers = found.filter((server) => !isCopy(server, found));
    return servers.map((server) => ({
      ...server,
      reachable: isSocket(server.socket) && this.#owns(server, servers),
    }));
  }

  /** Of several servers that bound one path only one has the file that is there now: the one that answers,
   * and until that is known the one that began last. */
  #owns({ socket, process }: Server, servers: readonly Server[]): boolean {
    const others = servers.filter((other) => other.socket === socket);
    const owner = this.#answered.get(socket);
    if (others.some((other) => other.process.pid === owner)) return process.pid === owner;
    return !others.some((other) => isYounger(other.process, process));
  }

  /** Where a server of ours listens. Of others nothing is said here, though root could see: a server is asked with
   * its own program, and that of somebody else must not be run. */
  #socketOf(pid: number, listeners: ReadonlyMap<string, string>): string | undefined {
    if (!isOurs(pid)) return undefined;
    const path = descriptorsOf(pid)
      .map((target) => listeners.get(target))
      .find((socket) => socket !== undefined);
    if (path === undefined || isAbsolute(path)) return path;
    const cwd = this.#table.cwd(pid)?.path;
    return cwd === undefined ? undefined : join(cwd, path);
  }

  #files(): string[] {
    const places = (this.#filter ?? this.#folders).map(realPath);
    return [...new Set(places.flatMap((place) => (isSocket(place) ? [place] : socketsIn(place))))];
  }
}

/** A server whose process can be seen. */
interface Server {
  readonly socket: string;
  readonly process: ProcessInfo;
}

/** Whether the socket is one of the places or in one of them; all are where none are given. */
function isAmong(socket: string, places: readonly string[] | undefined): boolean {
  if (places === undefined) return true;
  const path = realPath(socket);
  return places.some((place) => path === place || dirname(path) === place);
}

/** What a server has forked still is called like it and has its socket until it has been through exec. */
function isCopy({ socket, process }: Server, servers: readonly Server[]): boolean {
  return servers.some((other) => other.process.pid === process.parent && other.socket === socket);
}

function isYounger(a: ProcessInfo, b: ProcessInfo): boolean {
  return a.startTick === b.startTick ? a.pid > b.pid : BigInt(a.startTick) > BigInt(b.startTick);
}
