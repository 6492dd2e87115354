import { basename, dirname } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessInfo } from "../../processes/types.ts";
import { areAlike } from "../../sources/alike.ts";
import { optional } from "../../sources/optional.ts";
import { runProgram } from "../../sources/run-program.ts";
import type { Fault, Finding } from "../../sources/source.ts";
import { ANSWER_MS, faultOf, garbled } from "../asked-place.ts";
import { LookAgain } from "../look-again.ts";
import type { ManagedSourceOptions, Manager, ManagerPlace } from "../managed-source.ts";
import type { ObservedTerminal } from "../terminal.ts";
import { type NamedWindow, NamedWindows } from "../windows.ts";
import { type ListedPane, parsePanes } from "./panes.ts";

/** How much of a list is read: a pane takes about 1 KiB. */
const LIST_BYTES = 1_048_576;

const NO_LISTS: Fault = {
  code: "no_lists",
  msg: "this zellij lists no panes, so they are stated without titles, and those that ended not at all",
};
const NO_SOCKET: Fault = {
  code: "no_socket",
  msg: "the session's socket was deleted or is not known to be its own, so its panes are stated by their processes",
};

export interface SessionOptions extends ManagedSourceOptions {
  readonly manager: Manager;
  /** The path that its server was started on. */
  readonly socket: string;
  /** What it is called in ids. */
  readonly handle: string;
  /** Where it listens now. `undefined` where that is not known. */
  currentSocket(): Promise<string | undefined>;
  readonly emit: (finding: Finding<ObservedTerminal>) => void;
  readonly onStop: () => void;
}

/** One session of zellij. Its panes are known by their processes, which are children of its server; what these do not
 * tell is asked for. */
export class Session implements ManagerPlace {
  readonly name: string;
  readonly knowsByProcess = true;
  readonly #options: SessionOptions;
  readonly #server: ProcessInfo;
  readonly #windows: NamedWindows;
  readonly #again: LookAgain;
  /** What people call it now. */
  #title: string;
  #named: readonly NamedWindow[] = [];
  #listed: readonly ListedPane[] = [];
  /** The process that each pane had last. */
  readonly #processes = new Map<string, ProcessInfo>();
  #fault: Fault | undefined;
  #limit: Fault | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.name = options.socket;
    this.#server = options.manager.process;
    this.#title = basename(options.socket);
    this.#windows = new NamedWindows(this.#server, paneOf);
    this.#again = new LookAgain(options);
  }

  see(manager: Manager, facts: ProcessFacts): void {
    const now = this.#options.clock.monotonic();
    const before = this.#named;
    this.#named = this.#windows.name(manager.windows, facts, now);
    for (const { handle, process } of this.#named) this.#processes.set(handle, process);
    const isSame =
      before.length === this.#named.length &&
      this.#named.every(({ process }, at) => areAlike(process, before[at]?.process ?? {}));
    if (!isSame) this.#options.emit(this.#finding());
    this.#again.arrange(this.#windows.unnamedFor(now), (facts) => this.see(manager, facts));
  }

  async ask(signal: AbortSignal): Promise<Finding<ObservedTerminal>> {
    if (this.#limit === NO_LISTS) return this.#finding();
    const socket = await this.#options.currentSocket();
    this.#limit = socket === undefined ? NO_SOCKET : undefined;
    if (socket === undefined) this.#fault = undefined;
    // Without its server its name would be one of a session that can be resurrected.
    if (socket === undefined || !this.#isAlive()) return this.#finding();
    this.#title = basename(socket);
    const answer = await runProgram(this.#question(socket), signal);
    const { exitCode, stderr, stdout } = answer;
    if (exitCode === 2 && /list-panes|--json/.test(stderr)) {
      this.#limit = NO_LISTS;
      return this.#finding();
    }
    const panes = parsePanes(stdout);
    this.#fault =
      faultOf("zellij", answer) ?? (panes === undefined ? garbled("zellij") : undefined);
    if (this.#fault === undefined && panes !== undefined) this.#take(panes);
    return this.#finding();
  }

  stop(): void {
    this.#again.cancel();
    this.#options.onStop();
  }

  /** Actions begin no session. */
  #question(socket: string) {
    const { program = `/proc/${this.#server.pid}/exe`, path = process.env["PATH"] } = this.#options;
    return {
      program,
      args: [`--session=${basename(socket)}`, "action", "list-panes", "--json"],
      argv0: "zellij",
      environment: {
        PATH: path,
        HOME: process.env["HOME"],
        // It adds a folder for the generation of the protocol.
        ZELLIJ_SOCKET_DIR: dirname(dirname(socket)),
      },
      deadlineMs: ANSWER_MS,
      limitBytes: LIST_BYTES,
    };
  }

  #isAlive(): boolean {
    const { pid, startTick } = this.#server;
    return this.#options.table.read(pid)?.startTick === startTick;
  }

  #take(panes: readonly ListedPane[]): void {
    this.#listed = panes;
    const known = new Set([
      ...panes.map(({ number }) => String(number)),
      ...this.#named.map(({ handle }) => handle),
    ]);
    for (const handle of this.#processes.keys()) {
      if (!known.has(handle)) this.#processes.delete(handle);
    }
  }

  #finding(): Finding<ObservedTerminal> {
    const listed = this.#limit === undefined ? this.#listed : [];
    const windows = new Map(this.#named.map((window) => [window.handle, window]));
    const items = listed.map((pane) => {
      const handle = String(pane.number);
      const window = windows.get(handle);
      windows.delete(handle);
      return this.#terminal(handle, window, pane);
    });
    for (const [handle, window] of windows) items.push(this.#terminal(handle, window, undefined));
    if (this.#fault !== undefined) return { kind: "failing", fault: this.#fault, items };
    return { kind: "rows", items, ...optional("limited", this.#limit) };
  }

  #terminal(
    handle: string,
    window: NamedWindow | undefined,
    pane: ListedPane | undefined,
  ): ObservedTerminal {
    const process = window?.process ?? this.#processes.get(handle);
    const state = stateOf(window, pane);
    const number = pane?.number ?? window?.number;
    return {
      id: `zellij:${this.#options.handle}/${handle}`,
      state,
      // Of one that has ended since the list was made the next list says more.
      ...optional(state === "dead" ? "endedPid" : "rootPid", process?.pid),
      ...optional("tty", process?.tty),
      ...optional("command", pane?.command?.trim().split(/\s+/)),
      ...optional("cwd", pane?.cwd),
      name:
        [this.#title, pane?.tab].filter((part) => part !== undefined).join(":") + dotted(number),
      ...optional("title", pane?.title),
      ...optional("cols", pane?.cols),
      ...optional("rows", pane?.rows),
      ...optional("exitCode", state === "dead" ? pane?.exitCode : undefined),
    };
  }
}

/** A process that runs says more than a list from before it did. */
function stateOf(window: NamedWindow | undefined, pane: ListedPane | undefined): string {
  if (window !== undefined || pane === undefined) return "running";
  if (pane.hasExited) return "dead";
  return pane.isHeld ? "held" : "running";
}

const dotted = (number: string | number | undefined) => (number === undefined ? "" : `.${number}`);

/** The pane that a process was told it is. One that was inherited is that of another server's pane, but then the
 * process has not been through exec by this server. */
function paneOf(window: ProcessInfo, facts: ProcessFacts): string | undefined {
  const number = /^(?:terminal_)?(\d{1,10})$/.exec(facts.variable(window, "ZELLIJ_PANE_ID") ?? "");
  return number?.[1] === undefined ? undefined : String(Number(number[1]));
}
