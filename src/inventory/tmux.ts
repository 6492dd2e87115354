import { existsSync } from "node:fs";
import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Reading } from "../sources/source.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import { shareRuns } from "../time/share-runs.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";
import { paneOf } from "./tmux/children.ts";
import { Discovery, isServer, type ServerPlace, type SocketFilter } from "./tmux/discovery.ts";
import { TmuxServer } from "./tmux/server.ts";
import { defaultSocketFolders, socketName } from "./tmux/socket.ts";
import { SocketWatch } from "./tmux/socket-watch.ts";

/** When a pane that has just been opened is looked for among the new processes, in milliseconds after the
 * wake. It takes its server some milliseconds to fork and exec; after that the listing has answered. */
const SCOUT_AFTER_MS = [0, 2, 4, 8, 16] as const;

export interface TmuxSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** Sockets, and folders of sockets, to keep to. Absent: every server of the user. */
  readonly sockets?: SocketFilter;
}

/** The panes of every tmux server of the user. It attaches no client, sets no hook or option, and starts no
 * server. */
export class TmuxSource extends RestartedSource<ObservedTerminal, Run> implements TerminalSource {
  readonly scheme = "tmux";
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #folders: readonly string[];
  readonly #filter: SocketFilter;

  constructor({ clock, table, sockets }: TmuxSourceOptions) {
    super();
    this.#clock = clock;
    this.#table = table;
    this.#folders = defaultSocketFolders();
    this.#filter = sockets;
  }

  protected begin(onReading: (reading: Reading<ObservedTerminal>) => void): Run {
    const discovery = new Discovery(this.#table, this.#folders, this.#filter);
    const places = this.#filter ?? this.#folders;
    return new Run(this.#clock, this.#table, discovery, this.#folders, places, onReading);
  }

  wake(tty: string): void {
    this.run?.wake(tty);
  }

  /** A popup of a server is no terminal, and neither are the panes of one that is not to be listed. */
  manages(process: ProcessInfo): boolean {
    return isServer(process);
  }
}

/** What the source holds from one start to the next stop. */
class Run {
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #discovery: Discovery;
  readonly #folders: readonly string[];
  readonly #onReading: (reading: Reading<ObservedTerminal>) => void;
  #servers = new Map<string, TmuxServer>();
  readonly #sockets: SocketWatch;
  /** Processes that are no news. */
  #known: Set<number> = new Set();
  /** Brings the servers up to date. */
  readonly #find = shareRuns(() => this.#findNow());
  #scouting: Cancel | undefined;
  /** Devices that have opened and whose processes have not been seen yet. */
  readonly #opened = new Set<string>();
  /** Children of servers that do not say yet which pane they are. */
  #nameless: ReadonlySet<number> = new Set();
  /** Which servers there are could not be found out. */
  #isUnfound = false;
  #stopped = false;

  constructor(
    clock: Clock,
    table: ProcessTable,
    discovery: Discovery,
    folders: readonly string[],
    places: readonly string[],
    onReading: (reading: Reading<ObservedTerminal>) => void,
  ) {
    this.#clock = clock;
    this.#table = table;
    this.#discovery = discovery;
    this.#folders = folders;
    this.#onReading = onReading;
    this.#sockets = new SocketWatch({
      changed: (path) => this.#socketChanged(path),
      // Servers are then found when a terminal opens, and at the latest with the next bookmark.
      lost: () => {},
    });
    for (const place of places) this.#sockets.addPlace(place);
  }

  stop(): void {
    this.#stopped = true;
    this.#scouting?.();
    this.#sockets.stop();
    for (const server of this.#servers.values()) server.stop();
  }

  async read(): Promise<void> {
    await this.#find();
    await Promise.all([...this.#servers.values()].map((server) => server.fresh()));
  }

  /** Asks the server whose pane it is: to ask them all would take a process for each. Of a device that is gone that is
   * known; of one that is there, the process tells that comes to it. */
  wake(tty: string): void {
    if (!existsSync(tty)) {
      this.#opened.delete(tty);
      for (const server of this.#servers.values()) if (server.owns(tty)) server.wake();
      return;
    }
    this.#opened.add(tty);
    this.#scouting?.();
    this.#scout(0);
  }

  tick(): void {
    for (const server of this.#servers.values()) server.tick();
    if (this.#isUnfound) void this.#look();
  }

  /** Looks at the processes that are new for a pane that names itself, and for a server. */
  #scout(attempt: number): void {
    this.#scouting = undefined;
    const nameless = new Set<number>();
    for (const process of this.#newcomers()) {
      const server = this.#serverOf(process.parent);
      // What a server has forked is called like it until it has been through exec.
      if (server === undefined && process.name.startsWith("tmux: server")) void this.#look();
      const isLeader = process.tty !== undefined && process.session === process.pid;
      if (isLeader) this.#opened.delete(process.tty ?? "");
      const pane = server === undefined ? undefined : paneOf(process, this.#table);
      if (pane !== undefined) server?.propose(pane);
      // The server is asked as soon as it has a new child on a terminal, named or not.
      if (isLeader && !this.#nameless.has(process.pid)) server?.wake();
      if (server === undefined || pane !== undefined) this.#known.add(process.pid);
      else nameless.add(process.pid);
    }
    this.#nameless = nameless;
    const [before, after] = [SCOUT_AFTER_MS[attempt], SCOUT_AFTER_MS[attempt + 1]];
    if (before === undefined || after === undefined) {
      // Whose the others are is not to be seen from here.
      if (this.#opened.size > 0) for (const server of this.#servers.values()) server.wake();
      this.#opened.clear();
    } else if (this.#opened.size > 0 || nameless.size > 0) {
      this.#scouting = this.#clock.schedule(after - before, () => this.#scout(attempt + 1));
    }
  }

  #newcomers(): ProcessInfo[] {
    try {
      return this.#table.newcomers(this.#known);
    } catch {
      // To see a pane early is worth something, not an error: its server lists it all the same.
      return [];
    }
  }

  #socketChanged(path: string | undefined): void {
    if (this.#stopped) return;
    if (path !== undefined) this.#discovery.changed(path);
    for (const server of this.#servers.values()) if (server.place.socket === path) server.nudge();
    void this.#look();
  }

  #serverOf(pid: number): TmuxServer | undefined {
    return [...this.#servers.values()].find(({ place }) => place.process?.pid === pid);
  }

  /** Finds servers, and asks those that are new. */
  async #look(): Promise<void> {
    await this.#find();
    for (const server of this.#servers.values()) if (server.isUnread) server.wake();
  }

  async #findNow(): Promise<void> {
    const snapshot = await this.#table.sweep().catch((error: Error) => error);
    if (this.#stopped) return;
    if (snapshot instanceof Error) return this.#cannotFind(snapshot);
    this.#known = new Set([...snapshot.all()].map(({ pid }) => pid));
    const places = await this.#discovery.find(snapshot).catch((error: Error) => error);
    if (this.#stopped) return;
    if (places instanceof Error) return this.#cannotFind(places);
    this.#isUnfound = false;
    const found = new Map(places.map((place) => [keyOf(place), place]));
    for (const [key, server] of this.#servers) {
      if (found.has(key)) continue;
      server.stop();
      this.#servers.delete(key);
      this.#sockets.removeSocket(server.place.socket);
      const at = this.#clock.now();
      this.#onReading({ name: server.name, at, finding: { kind: "gone" } });
    }
    for (const [key, place] of found) {
      const server = this.#servers.get(key);
      if (server === undefined) this.#servers.set(key, this.#open(place));
      else server.move(place);
    }
    if (this.#servers.size > 0) return;
    this.#onReading({ at: snapshot.takenAt, finding: { kind: "absent" } });
  }

  /** Which servers there are is not known now; those that were are asked on. */
  #cannotFind({ message }: Error): void {
    this.#isUnfound = true;
    const fault = { code: "processes_unreadable", msg: message };
    this.#onReading({ at: this.#clock.now(), finding: { kind: "failing", fault } });
  }

  #open(place: ServerPlace): TmuxServer {
    const { socket, process } = place;
    const names = [...this.#servers.values()].map(({ name }) => name);
    this.#sockets.addSocket(socket);
    // Two servers may have been started on one path, one after the socket of the other was deleted.
    const name = names.includes(socket) ? `${socket} (pid ${process?.pid ?? "unknown"})` : socket;
    this.#onReading({ name, at: this.#clock.now(), finding: { kind: "starting" } });
    return new TmuxServer({
      place,
      name,
      socketName: socketName(socket, this.#folders),
      clock: this.#clock,
      table: this.#table,
      onReading: this.#onReading,
      onChanged: () => void this.#look(),
      onAnsweredBy: (pid) => {
        this.#discovery.answers(socket, pid);
        void this.#look();
      },
    });
  }
}

/** A server is its process; a socket that no process is known for is its path. */
const keyOf = ({ socket, process }: ServerPlace) =>
  process === undefined ? socket : `${process.pid} ${process.startTick}`;
