import { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { optional } from "../sources/optional.ts";
import type { Reading } from "../sources/source.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import { SessionNames } from "./screen/session-names.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";
import { isCalled, keyOf, type NamedWindow, NamedWindows, windowsOf } from "./windows.ts";

/** How long to wait at the least and at the most before a window is looked at again that has not been through exec,
 * in milliseconds. Each wait is as long as the window has been there. */
const LOOK_AGAIN_MS = { least: 2, most: 200 };

/** How long a snapshot waits for the names of sessions, in milliseconds. They are for people, and the folder that one
 * is read from may be on a disk that does not answer. */
const NAMES_MS = 500;

interface Server {
  readonly process: ProcessInfo;
  readonly windows: NamedWindows;
  named: readonly NamedWindow[];
  /** The session's name as its windows were given it. */
  firstName: string | undefined;
}

/** The windows of every GNU screen session, seen among the processes: nobody is asked and nothing is run. */
export class ScreenSource implements TerminalSource {
  readonly scheme = "screen";
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  #run: Run | undefined;

  constructor({ clock, table }: { readonly clock: Clock; readonly table: ProcessTable }) {
    this.#clock = clock;
    this.#table = table;
  }

  start(onReading: (reading: Reading<ObservedTerminal>) => void): void {
    this.#run = new Run(this.#clock, this.#table, onReading);
  }

  stop(): void {
    this.#run?.stop();
    this.#run = undefined;
  }

  /** Windows are seen with the processes, which are read for every snapshot and bookmark anyway. */
  async read(): Promise<void> {
    await this.#run?.readNames();
  }

  tick(): void {}

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#run?.see(snapshot, facts);
  }

  manages(process: ProcessInfo): boolean {
    return isCalled(process, "screen");
  }
}

/** What the source holds from one start to the next stop. */
class Run {
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #onReading: (reading: Reading<ObservedTerminal>) => void;
  readonly #names = new SessionNames(() => this.#state());
  #servers = new Map<string, Server>();
  #seenAt = 0;
  #again: Cancel | undefined;

  constructor(
    clock: Clock,
    table: ProcessTable,
    onReading: (reading: Reading<ObservedTerminal>) => void,
  ) {
    this.#clock = clock;
    this.#table = table;
    this.#onReading = onReading;
  }

  stop(): void {
    this.#again?.();
    this.#names.stop();
  }

  readNames(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(NAMES_MS, resolve);
      void this.#names.look().then(() => {
        cancel();
        resolve();
      });
    });
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#again?.();
    this.#again = undefined;
    this.#seenAt = snapshot.takenAt;
    const now = this.#clock.monotonic();
    const servers = new Map<string, Server>();
    const folders = new Set<string>();
    for (const process of snapshot.all()) {
      if (!isCalled(process, "screen")) continue;
      const children = windowsOf(process, snapshot);
      if (children.length === 0) continue;
      const server = this.#servers.get(keyOf(process)) ?? newServer(process);
      servers.set(keyOf(process), server);
      server.named = server.windows.name(children, facts, now);
      for (const { process: window } of server.named) {
        server.firstName ??= sessionOf(window, facts);
        const folder = facts.variable(window, "SCREENDIR");
        if (folder !== undefined && sessionOf(window, facts) !== undefined) folders.add(folder);
      }
    }
    this.#servers = servers;
    this.#names.keep(new Set([...servers.values()].map(({ process }) => process.pid)), folders);
    this.#state();
    this.#lookAgain(snapshot, now);
  }

  /** A window that is still a copy of its server does not say which it is. */
  #lookAgain(snapshot: ProcessSnapshot, now: number): void {
    const ages = [...this.#servers.values()].flatMap(
      ({ windows }) => windows.unnamedFor(now) ?? [],
    );
    if (ages.length === 0) return;
    const { least, most } = LOOK_AGAIN_MS;
    const wait = Math.min(most, Math.max(least, Math.min(...ages)));
    this.#again = this.#clock.schedule(wait, () => {
      try {
        this.see(snapshot, new ProcessFacts(this.#table, this.#clock));
      } catch {
        // Nothing can be read now; the next sweep shows the window.
      }
    });
  }

  #state(): void {
    const at = this.#seenAt;
    if (this.#servers.size === 0) {
      this.#onReading({ at, finding: { kind: "absent" } });
      return;
    }
    const items = [...this.#servers.values()].flatMap((server) => {
      const { pid } = server.process;
      const session = this.#names.of(pid) ?? server.firstName;
      return server.named.map((window) => terminalOf(server.process, session, window));
    });
    this.#onReading({ at, finding: { kind: "rows", items } });
  }
}

function newServer(process: ProcessInfo): Server {
  const numberOf = (window: ProcessInfo, facts: ProcessFacts) =>
    sessionOf(window, facts) === undefined
      ? undefined
      : /^\d{1,10}$/.exec(facts.variable(window, "WINDOW") ?? "")?.[0];
  return { process, windows: new NamedWindows(process, numberOf), named: [], firstName: undefined };
}

/** The session that a window was told it is in: `STY` is the pid of its server, a dot and a name. Another server's
 * was inherited. */
function sessionOf(window: ProcessInfo, facts: ProcessFacts): string | undefined {
  const [, pid, name] = /^(\d+)\.(.+)$/s.exec(facts.variable(window, "STY") ?? "") ?? [];
  return Number(pid) === window.parent ? name : undefined;
}

function terminalOf(
  server: ProcessInfo,
  session: string | undefined,
  { process, handle, number }: NamedWindow,
): ObservedTerminal {
  const name = number === undefined ? session : `${session ?? ""}:${number}`;
  return {
    id: `screen:${keyOf(server)}/${handle}`,
    state: "running",
    rootPid: process.pid,
    ...optional("tty", process.tty),
    ...optional("name", name),
  };
}
