import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { optional } from "../sources/optional.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { LookAgain } from "./look-again.ts";
import { SessionNames } from "./screen/session-names.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";
import { isCalled, keyOf, type NamedWindow, NamedWindows, windowsOf } from "./windows.ts";

/** How long a snapshot waits for the names of sessions, in milliseconds. They are for people, and the folder that one
 * is read from may be on a disk that does not answer. */
const NAMES_MS = 500;

interface Server {
  readonly process: ProcessInfo;
  /** What its readings are about: its pid and the session's first name, as its socket was called first. Absent as long
   * as none of its windows could be named. */
  place?: string;
  readonly windows: NamedWindows;
  named: readonly NamedWindow[];
  /** The session's name as its windows were given it. */
  firstName?: string;
  /** The folder of its socket, where its windows were given one. */
  folder?: string;
}

/** The windows of every GNU screen session, each a place of its own, seen among the processes: nobody is asked and
 * nothing is run. */
export class ScreenSource extends RestartedSource<ObservedTerminal, Run> implements TerminalSource {
  readonly scheme = "screen";
  readonly #clock: Clock;
  readonly #table: ProcessTable;

  constructor({ clock, table }: { readonly clock: Clock; readonly table: ProcessTable }) {
    super();
    this.#clock = clock;
    this.#table = table;
  }

  protected begin(onReading: (reading: Reading<ObservedTerminal>) => void): Run {
    return new Run(this.#clock, this.#table, onReading);
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.run?.see(snapshot, facts);
  }

  manages(process: ProcessInfo): boolean {
    return isCalled(process, "screen");
  }
}

/** What the source holds from one start to the next stop. */
class Run {
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #again: LookAgain;
  readonly #onReading: (reading: Reading<ObservedTerminal>) => void;
  readonly #names = new SessionNames(() => this.#state());
  readonly #stopping = new AbortController();
  #servers = new Map<string, Server>();
  #seenAt = 0;

  constructor(
    clock: Clock,
    table: ProcessTable,
    onReading: (reading: Reading<ObservedTerminal>) => void,
  ) {
    this.#clock = clock;
    this.#table = table;
    this.#again = new LookAgain({ clock, table });
    this.#onReading = onReading;
  }

  stop(): void {
    this.#stopping.abort();
    this.#again.cancel();
    this.#names.stop();
  }

  tick(): void {}

  /** Windows are seen with the processes, which are read for every snapshot and bookmark anyway; names are not. */
  read(): Promise<void> {
    return within(this.#clock, NAMES_MS, this.#names.look(), this.#stopping.signal);
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#seenAt = snapshot.takenAt;
    const now = this.#clock.monotonic();
    const servers = new Map<string, Server>();
    for (const process of snapshot.all()) {
      if (!isCalled(process, "screen")) continue;
      const children = windowsOf(process, snapshot);
      const known = this.#servers.get(keyOf(process));
      // What shows a session is called like its server and has no window. A server that has lost its last ends soon.
      if (children.length === 0 && known === undefined) continue;
      const server = known ?? newServer(process);
      const named = server.windows.name(children, facts, now);
      const isNews = known === undefined || named.length < known.named.length;
      // It may be ending since it was read, and its windows with it.
      if (isNews && this.#isEnding(process)) continue;
      servers.set(keyOf(process), server);
      server.named = named;
      for (const { process: window } of server.named) learn(server, window, facts);
      if (server.named.length > 0) server.place ??= placeOf(server);
    }
    for (const [key, { place }] of this.#servers) {
      if (place === undefined || servers.has(key)) continue;
      this.#onReading({ name: place, at: snapshot.takenAt, finding: { kind: "gone" } });
    }
    this.#servers = servers;
    const pids = [...servers.values()].map(({ process }) => process.pid);
    const folders = [...servers.values()].flatMap(({ folder }) => folder ?? []);
    this.#names.keep(new Set(pids), new Set(folders));
    this.#state();
    const ages = [...servers.values()].flatMap(({ windows }) => windows.unnamedFor(now) ?? []);
    const youngest = ages.length === 0 ? undefined : Math.min(...ages);
    this.#again.arrange(youngest, (facts) => this.see(snapshot, facts));
  }

  /** Whether a server has ended or is about to. Its memory goes first, and its arguments are in that; then its terminals
   * are hung up; then it counts as ended (`do_exit` in Linux). */
  #isEnding({ pid, startTick }: ProcessInfo): boolean {
    try {
      const isThere = this.#table.read(pid)?.startTick === startTick;
      return !isThere || this.#table.argv(pid)?.length === 0;
    } catch {
      // There is nothing left to read with, which says nothing of it.
      return false;
    }
  }

  #state(): void {
    const at = this.#seenAt;
    const servers = [...this.#servers.values()];
    if (servers.every(({ place }) => place === undefined)) {
      // Of one whose first window is a copy of it yet, more is known in a moment.
      this.#onReading({ at, finding: { kind: servers.length === 0 ? "absent" : "starting" } });
    }
    for (const { process, place, named, firstName } of servers) {
      if (place === undefined) continue;
      const session = this.#names.of(process.pid) ?? firstName;
      const items = named.map((window) => terminalOf(process, session, window));
      this.#onReading({ name: place, at, finding: { kind: "rows", items } });
    }
  }
}

const placeOf = ({ process, firstName }: Server) =>
  firstName === undefined ? String(process.pid) : `${process.pid}.${firstName}`;

function newServer(process: ProcessInfo): Server {
  const numberOf = (window: ProcessInfo, facts: ProcessFacts) =>
    sessionOf(window, facts) === undefined
      ? undefined
      : /^\d{1,10}$/.exec(facts.variable(window, "WINDOW") ?? "")?.[0];
  return { process, windows: new NamedWindows(process, numberOf), named: [] };
}

/** Learns of a server what its windows were told: they may run something later that was not. */
function learn(server: Server, window: ProcessInfo, facts: ProcessFacts): void {
  const session = sessionOf(window, facts);
  if (session === undefined) return;
  server.firstName ??= session;
  const folder = facts.variable(window, "SCREENDIR");
  if (folder !== undefined) server.folder ??= folder;
}

/** The session that a window was told it is in: `STY` is the pid of its server, a dot and a name. Another server's
 * was inherited. */
function sessionOf(window: ProcessInfo, facts: ProcessFacts): string | undefined {
  const [, pid, name] = /^(\d+)\.(.+)$/s.exec(facts.variable(window, "STY") ?? "") ?? [];
  return Number(pid) === window.parent ? name : undefined;
}

/** A window is called like its session. Its number is left out: the one that it was given stays in its environment
 * where the user gives it another one (`number`), and may then be another window's. */
function terminalOf(
  server: ProcessInfo,
  session: string | undefined,
  { process, handle }: NamedWindow,
): ObservedTerminal {
  return {
    id: `screen:${keyOf(server)}/${handle}`,
    state: "running",
    rootPid: process.pid,
    ...optional("tty", process.tty),
    ...optional("name", session),
  };
}
