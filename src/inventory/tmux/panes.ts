import { optional } from "../../sources/optional.ts";
import type { ObservedTerminal } from "../terminal.ts";
import type { NamedPane } from "./children.ts";
import type { Listing, Pane } from "./listing.ts";
import { type Names, NO_NAMES } from "./names.ts";

/** What names a server for good: two servers never share both. */
export interface ServerIdentity {
  readonly pid: number;
  /** Epoch seconds. */
  readonly startTime: number;
}

/** How long a pane may be dead without a word of how it ended, in milliseconds. tmux knows that a moment after
 * it has lost the terminal; until then, or until it is certain that it does not say, the pane is ending. One that the
 * first listing shows so has ended at any time before. */
const ENDING_MS = 2_000;

/** What is known of one server's panes, from its listings and from the panes themselves. */
export class Panes {
  readonly #socketName: string;
  readonly #guess: () => ServerIdentity;
  #listed: readonly Pane[] = [];
  #isListed = false;
  #server: ServerIdentity | undefined;
  names: Names = NO_NAMES;
  /** Panes that name themselves and that no listing has been asked about since. */
  readonly #proposed = new Map<number, { pane: NamedPane; at: number }>();
  /** The highest number that the server has shown. */
  #highest = -1;
  /** Since when each pane is dead without a word of how it ended, in the monotonic clock: when it was seen so first. */
  #ending = new Map<number, number>();

  /** `guess` says who the server is as long as it has not said so itself. */
  constructor(socketName: string, guess: () => ServerIdentity) {
    this.#socketName = socketName;
    this.#guess = guess;
  }

  /** Takes a listing that was asked for at that time of the monotonic clock. An empty one names no server;
   * who it was before holds on. */
  list(listing: Listing, askedAt: number): void {
    const ending = listing.panes.filter(isWithoutEnd).map(({ number }) => number);
    const since = this.#isListed ? askedAt : Number.NEGATIVE_INFINITY;
    this.#isListed = true;
    this.#ending = new Map(ending.map((number) => [number, this.#ending.get(number) ?? since]));
    this.#listed = listing.panes.map((pane) => {
      const isEnding = askedAt - (this.#ending.get(pane.number) ?? -Infinity) < ENDING_MS;
      return isEnding ? { ...pane, dead: false } : pane;
    });
    this.#server = listing.server ?? this.#server;
    const listed = new Set(listing.panes.map(({ number }) => number));
    this.#highest = Math.max(this.#highest, ...listed);
    for (const [number, { at }] of this.#proposed) {
      if (at <= askedAt || listed.has(number)) this.#proposed.delete(number);
    }
  }

  /** Takes a pane for real that its process names. Only a number above all that the server has shown: any
   * other is an old pane's, inherited. */
  propose(pane: NamedPane, at: number): boolean {
    if (this.#server === undefined || pane.number <= this.#highest) return false;
    if (this.#proposed.has(pane.number)) return false;
    this.#proposed.set(pane.number, { pane, at });
    return true;
  }

  /** Whether the device is one of its panes'. */
  owns(tty: string): boolean {
    const proposed = [...this.#proposed.values()];
    return (
      this.#listed.some((pane) => pane.tty === tty) ||
      proposed.some(({ pane }) => pane.process.tty === tty)
    );
  }

  /** Whether a listed pane is ending, so that more will be known soon. */
  get isAnyEnding(): boolean {
    return this.#listed.some(({ number, dead }) => !dead && this.#ending.has(number));
  }

  /** Whether a listed pane has not been named. */
  get hasUnnamed(): boolean {
    return this.#listed.some(({ number }) => !this.names.titles.has(number));
  }

  terminals(): ObservedTerminal[] {
    const proposed = [...this.#proposed.values()].map(({ pane }) => this.#named(pane));
    return [...this.#listed.map((pane) => this.#terminal(pane)), ...proposed];
  }

  /** The terminals of a server that does not answer: those of its last listing and those that `living`
   * processes name. `ended` says that listed panes whose process has ended since are gone. */
  terminalsWith(living: readonly NamedPane[], { ended }: { ended: boolean }): ObservedTerminal[] {
    const numbers = new Set(living.map(({ number }) => number));
    const listed = this.#listed.filter(({ number, dead }) => !ended || dead || numbers.has(number));
    const known = new Set(listed.map(({ number }) => number));
    return [
      ...listed.map((pane) => this.#terminal(pane)),
      ...living.filter(({ number }) => !known.has(number)).map((pane) => this.#named(pane)),
    ];
  }

  #terminal(pane: Pane): ObservedTerminal {
    const session = this.names.sessions.get(pane.sessionId);
    return {
      id: this.#id(pane.number),
      state: pane.dead ? "dead" : "running",
      ...optional("rootPid", pane.pid),
      ...optional("endedPid", pane.endedPid),
      ...optional("tty", pane.tty),
      ...optional("name", session && `${session}:${pane.windowIndex}.${pane.paneIndex}`),
      ...optional("title", this.names.titles.get(pane.number)),
      ...optional("cols", pane.cols),
      ...optional("rows", pane.rows),
      viewers: pane.viewers,
      bell: pane.bell,
      ...optional("activityAt", pane.activityAt),
      ...optional("exitCode", pane.exitCode),
      ...optional("exitSignal", pane.exitSignal),
    };
  }

  #named({ number, process }: NamedPane): ObservedTerminal {
    return {
      id: this.#id(number),
      state: "running",
      rootPid: process.pid,
      ...optional("tty", process.tty),
    };
  }

  #id(number: number): string {
    const { pid, startTime } = this.#server ?? this.#guess();
    return `tmux:${this.#socketName}@${pid}.${startTime}/${number}`;
  }
}

/** Whether a pane is dead and nothing is said of how it ended. */
const isWithoutEnd = ({ dead, exitCode, exitSignal }: Pane) =>
  dead && exitCode === undefined && exitSignal === undefined;
