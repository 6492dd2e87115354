import { BOOKMARK_MS } from "../../contract/envelope.ts";
import type { HeldProcess, ProcessTable } from "../../processes/types.ts";
import { Backoff } from "../../sources/backoff.ts";
import { optional } from "../../sources/optional.ts";
import { ReadingSchedule } from "../../sources/schedule.ts";
import { isShortage } from "../../sources/shortage.ts";
import type { Fault, Finding, Reading } from "../../sources/source.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import type { ObservedTerminal } from "../terminal.ts";
import { ask, type Client } from "./ask.ts";
import { type NamedPane, panesOfServer } from "./children.ts";
import type { ServerPlace } from "./discovery.ts";
import { LISTING_COMMAND, type Listing, parseListing } from "./listing.ts";
import { areSameNames, namesQuestion } from "./names.ts";
import { Panes, type ServerIdentity } from "./panes.ts";
import { verdictOf } from "./verdict.ts";

/** How long after a server dropped its client it is looked whether its process has ended, in milliseconds: one
 * that exits drops its clients first. */
const EXIT_MS = 50;

/** How often a server is asked again while one of its panes is ending, in milliseconds. */
const ENDING_LOOK_MS = 50;

/** How long after a pane was first seen its title and session are asked for, in milliseconds. Programs set
 * their title when they begin; to ask later costs one call for all that came meanwhile. */
const NAMES_DELAY_MS = 60;

const SOCKET_DELETED: Fault = {
  code: "socket_deleted",
  msg: "the server runs but the file of its socket is gone; SIGUSR1 makes tmux create it again",
};
const STOPPED: Fault = { code: "stopped", msg: "the server's process is suspended" };
const OTHER_SERVER: Fault = {
  code: "other_server",
  msg: "another tmux server answers on the socket",
};
const GARBLED: Fault = { code: "unreadable_answer", msg: "the list has a line that is not one" };

export interface TmuxServerOptions {
  readonly place: ServerPlace;
  /** What the source is called, and the socket in ids. */
  readonly name: string;
  readonly socketName: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly onReading: (reading: Reading<ObservedTerminal>) => void;
  /** The server is no longer what was found: look again. */
  readonly onChanged: () => void;
  /** Another server answered on its socket. */
  readonly onAnsweredBy: (pid: number) => void;
}

/** One tmux server: asks it for its panes, and keeps what it said. */
export class TmuxServer {
  readonly name: string;
  #place: ServerPlace;
  readonly #options: TmuxServerOptions;
  readonly #schedule: ReadingSchedule;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  #held: HeldProcess | undefined;
  readonly #panes: Panes;
  /** When the last good reading began, in epoch milliseconds. */
  #readAt: number | undefined;
  #namesReadAt = Number.NEGATIVE_INFINITY;
  #namesDue: Cancel | undefined;
  #exitDue: Cancel | undefined;
  #endDue: Cancel | undefined;
  #failing = false;
  #wasStopped = false;

  constructor(options: TmuxServerOptions) {
    this.#options = options;
    this.#place = options.place;
    this.name = options.name;
    this.#panes = new Panes(options.socketName, () => this.#identity());
    this.#backoff = new Backoff(options.clock);
    this.#schedule = new ReadingSchedule(options.clock, () => this.#read());
    const { process } = options.place;
    if (process !== undefined) this.#held = options.table.hold(process.pid, process.startTick);
  }

  get place(): ServerPlace {
    return this.#place;
  }

  /** Whether it was ever asked. */
  get isUnread(): boolean {
    return this.#readAt === undefined && !this.#failing;
  }

  /** The same server, found again: its socket may have come or gone. */
  move(place: ServerPlace): void {
    const reachable = this.#place.reachable;
    this.#place = place;
    if (place.reachable !== reachable) this.nudge();
  }

  wake(): void {
    this.#schedule.wake();
  }

  fresh(): Promise<void> {
    return this.#schedule.fresh();
  }

  /** Something about the socket changed: it may answer now. */
  nudge(): void {
    this.#backoff.reset();
    this.wake();
  }

  stop(): void {
    this.#schedule.stop();
    this.#stopping.abort();
    this.#namesDue?.();
    this.#exitDue?.();
    this.#endDue?.();
    this.#held?.release();
  }

  /** Once a second: whether it ended, was stopped or continued, or may be asked again. */
  tick(): void {
    if (this.#held !== undefined) {
      const process = this.#held.read();
      if (process === undefined) {
        this.#options.onChanged();
        return;
      }
      const stopped = isStopped(process.state);
      if (this.#wasStopped && !stopped) this.#backoff.reset();
      if (stopped !== this.#wasStopped) this.wake();
      this.#wasStopped = stopped;
    }
    if (this.#failing && !this.#backoff.isPausing) this.wake();
  }

  /** Whether the device is one of its panes'. */
  owns(tty: string): boolean {
    return this.#panes.owns(tty);
  }

  /** Takes a pane for real that its process names, until a listing confirms or removes it. */
  propose(pane: NamedPane): boolean {
    if (this.#failing) return false;
    const isNew = this.#panes.propose(pane, this.#options.clock.monotonic());
    if (isNew) this.#state();
    return isNew;
  }

  async #read(): Promise<void> {
    const { clock } = this.#options;
    const at = clock.now();
    if (!this.#place.reachable) return this.#fail(at, SOCKET_DELETED);
    if (isStopped(this.#held?.read()?.state)) return this.#fail(at, STOPPED);
    if (this.#backoff.isPausing) return;
    const askedAt = clock.monotonic();
    // The first list is stated with its names, so both are asked for at once; later ones do not wait for names.
    const naming = this.#readAt === undefined ? this.#readNames() : undefined;
    const answer = await ask(this.#client, LISTING_COMMAND, this.#stopping.signal);
    await naming;
    if (this.#stopping.signal.aborted) return;
    const verdict = verdictOf(answer);
    if (verdict.kind === "no_server") return this.#missing(at);
    if (verdict.kind === "failing") return this.#fail(at, verdict.fault);
    const listing = parseListing(answer.stdout);
    if (listing === undefined) return this.#fail(at, GARBLED);
    await this.#take(listing, at, askedAt, clock.monotonic() - askedAt);
  }

  async #take(listing: Listing, at: number, askedAt: number, ms: number): Promise<void> {
    const { process } = this.#place;
    if (
      process !== undefined &&
      listing.server !== undefined &&
      listing.server.pid !== process.pid
    ) {
      this.#options.onAnsweredBy(listing.server.pid);
      return this.#fail(at, OTHER_SERVER);
    }
    this.#panes.list(listing, askedAt);
    this.#readAt = at;
    this.#failing = false;
    this.#backoff.reset();
    if (this.#panes.isAnyEnding) this.#endDue ??= this.#askAgainSoon();
    if (this.#panes.hasUnnamed) this.#readNamesSoon();
    else if (askedAt - this.#namesReadAt >= BOOKMARK_MS - NAMES_DELAY_MS) void this.#renewNames();
    this.#state(ms);
  }

  /** Nothing listens there: the server has ended, or it lives and its socket was deleted. */
  async #missing(at: number): Promise<void> {
    this.#options.onChanged();
    if (this.#held?.read() !== undefined) await this.#fail(at, SOCKET_DELETED);
  }

  async #fail(at: number, fault: Fault): Promise<void> {
    if (this.#held !== undefined && this.#held.read() === undefined) {
      this.#options.onChanged();
      return;
    }
    if (fault.code === "server_lost") this.#exitDue ??= this.#lookForExitSoon();
    this.#failing = true;
    if (isShortage(fault)) this.#backoff.lacked();
    else this.#backoff.failed();
    const terminals = await this.#terminalsByProcess(fault === SOCKET_DELETED);
    if (this.#stopping.signal.aborted) return;
    this.#emit(at, {
      kind: "failing",
      fault,
      ...optional("items", terminals),
    });
  }

  /** What can be said of a server that does not answer: the panes of its last listing, and those that its
   * children name. One whose socket is deleted stays silent for good, so its panes end with their
   * processes. */
  async #terminalsByProcess(forGood: boolean): Promise<ObservedTerminal[] | undefined> {
    const { table } = this.#options;
    const { process } = this.#place;
    if (process === undefined) return undefined;
    try {
      const living = panesOfServer(process.pid, await table.sweep(), table);
      return this.#panes.terminalsWith(living, { ended: forGood });
    } catch {
      // Processes cannot be read either, so nothing is known beyond the rows that stand.
      return undefined;
    }
  }

  /** States what is known as of the last listing; `ms` is how long that took, where it is new. */
  #state(ms?: number): void {
    if (this.#readAt === undefined) return;
    this.#emit(this.#readAt, { kind: "rows", items: this.#panes.terminals() }, ms);
  }

  #emit(at: number, finding: Finding<ObservedTerminal>, ms?: number): void {
    this.#options.onReading({ name: this.name, at, finding, ...optional("ms", ms) });
  }

  #lookForExitSoon(): Cancel {
    return this.#options.clock.schedule(EXIT_MS, () => {
      this.#exitDue = undefined;
      this.tick();
    });
  }

  #askAgainSoon(): Cancel {
    return this.#options.clock.schedule(ENDING_LOOK_MS, () => {
      this.#endDue = undefined;
      this.wake();
    });
  }

  #readNamesSoon(): void {
    this.#namesDue ??= this.#options.clock.schedule(NAMES_DELAY_MS, () => {
      this.#namesDue = undefined;
      void this.#renewNames();
    });
  }

  async #renewNames(): Promise<void> {
    const before = this.#panes.names;
    await this.#readNames();
    if (!this.#failing && this.#panes.names !== before && !this.#stopping.signal.aborted)
      this.#state();
  }

  /** Names are for people: where they cannot be had, the old ones stand and the listing is as good. */
  async #readNames(): Promise<void> {
    this.#namesReadAt = this.#options.clock.monotonic();
    const question = namesQuestion();
    const answer = await ask(this.#client, question.command, this.#stopping.signal);
    if (verdictOf(answer).kind !== "listed") return;
    const names = question.parse(answer.stdout);
    if (!areSameNames(names, this.#panes.names)) this.#panes.names = names;
  }

  get #client(): Client {
    const { process, socket } = this.#place;
    return { program: process === undefined ? "tmux" : `/proc/${process.pid}/exe`, socket };
  }

  /** Who the server is as long as it has not said so: its process, whose start is the same second but for
   * the moment it took to begin. */
  #identity(): ServerIdentity {
    const { process } = this.#place;
    const startedAt = process === undefined ? 0 : (this.#options.table.startedAt(process) ?? 0);
    return { pid: process?.pid ?? 0, startTime: Math.floor(startedAt / 1_000) };
  }
}

const isStopped = (state: string | undefined) => state === "T" || state === "t";
