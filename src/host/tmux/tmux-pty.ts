import { rm } from "node:fs/promises";
import { type Unwatch, watchEntries } from "../../sources/watch.ts";
import type { Clock } from "../../time/clock.ts";
import { within } from "../../time/within.ts";
import { checkSize } from "../pty/launch.ts";
import type { PtyExit } from "../pty/pty.ts";
import { TmuxFailure } from "./client.ts";
import { Ending } from "./ending.ts";
import type { Facts } from "./facts.ts";
import { writeFacts } from "./facts.ts";
import { markBytes } from "./keeper.ts";
import { LogReader } from "./log-reader.ts";
import type { Pane } from "./pane.ts";
import type { SessionPlaces } from "./places.ts";
import { isRunning } from "./processes.ts";
import { sessionTarget } from "./state.ts";
import type { TmuxEvents, TmuxPty } from "./tmux-session.ts";
import { Typing } from "./typing.ts";
import { writerCommand } from "./writer.ts";

/** How long the writer of a log may take to end when its session is taken away, and how often that is looked at, in
 * milliseconds. */
const WRITER_MS = 2_000;
const WRITER_LOOK_MS = 5;

export interface TmuxPtyOptions {
  readonly pane: Pane;
  readonly places: SessionPlaces;
  readonly facts: Facts;
  readonly start: number;
  readonly clock: Clock;
  /** It is not this host's any more. */
  released(): void;
}

/** The program of a session, for a terminal. */
export class SessionPty implements TmuxPty {
  readonly pid: number;
  readonly tty: string;
  /** By tmux, which has a screen of its own. */
  readonly answersQueries = true;
  readonly #options: TmuxPtyOptions;
  readonly #events: TmuxEvents;
  readonly #reader: LogReader;
  readonly #ending: Ending;
  readonly #typing: Typing;
  readonly #unwatch: Unwatch;
  #facts: Facts;
  /** A size that tmux is to be told. */
  #size: { readonly cols: number; readonly rows: number } | undefined;
  #isOver = false;

  constructor(options: TmuxPtyOptions, events: TmuxEvents) {
    const { pane, places, facts, start, clock } = options;
    this.pid = facts.pid;
    this.tty = facts.tty;
    this.#facts = facts;
    this.#options = options;
    this.#events = events;
    this.#typing = new Typing(pane, facts.tty, clock);
    this.#reader = new LogReader(
      places,
      { start, mark: markBytes(facts.mark) },
      {
        data: (bytes) => events.data(bytes),
        missed: (bytes) => events.missed?.(bytes),
      },
    );
    this.#ending = new Ending({
      pane,
      places,
      pid: facts.keeper,
      clock,
      keepAgain: () => this.#keepAgain(),
      ended: (how, drained) => this.#end({ ...how, drained }),
      looked: () => this.#reader.wake(),
      isMarked: () => this.#reader.isMarked,
    });
    this.#unwatch = watchEntries(places.folder, {
      changed: (name) => {
        if (name === "exit" || name === "end") this.#ending.noted();
        this.#reader.wake();
        this.#ending.active();
      },
      // Then it is looked from time to time.
      lost: () => {},
    });
    this.#reader.wake();
    // Later, so that whoever asked for this has it when it is told.
    setImmediate(() => this.#ending.noted());
  }

  get queued(): number {
    return this.#typing.queued;
  }

  write(bytes: Uint8Array): number {
    return this.#typing.write(bytes);
  }

  interrupt(bytes: Uint8Array): void {
    this.#typing.interrupt(bytes);
  }

  resize(cols: number, rows: number): void {
    checkSize({ cols, rows });
    if (this.#isOver) return;
    const isAsked = this.#size !== undefined;
    this.#size = { cols, rows };
    if (!isAsked) void this.#options.pane.inTurn(() => this.#resize());
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  release(): void {
    this.#isOver = true;
    this.#unwatch();
    this.#ending.release();
    this.#typing.close();
    this.#reader.close();
    this.#options.released();
  }

  async remove(): Promise<void> {
    this.release();
    const { pane, places, clock } = this.#options;
    try {
      if ((await pane.state()) !== undefined) {
        await pane.client.ask(["kill-session", "-t", sessionTarget(pane.id)]);
      }
    } catch (error) {
      if (!(error instanceof TmuxFailure && error.kind === "gone")) throw error;
    }
    await within(clock, WRITER_MS, untilEnded(Number(places.note("writer")), clock));
    await rm(places.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #resize(): Promise<void> {
    const size = this.#size;
    this.#size = undefined;
    if (size === undefined || this.#isOver) return;
    const { pane, places } = this.#options;
    const { cols, rows } = size;
    const resize = `resize-window -t '${pane.number}' -x ${cols} -y ${rows}`;
    await pane.client.ask(["if-shell", "-F", "-t", pane.number, pane.isAlive, resize]);
    this.#facts = { ...this.#facts, ...size };
    await writeFacts(places, this.#facts);
  }

  async #keepAgain(): Promise<void> {
    const { pane } = this.#options;
    const { historyBytes } = this.#facts;
    const command = writerCommand(pane.id, historyBytes);
    await pane.client.ask(["pipe-pane", "-O", "-t", pane.number, command]);
  }

  #end(exit: PtyExit): void {
    if (this.#isOver) return;
    this.#typing.close();
    this.#reader.finish(() => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#unwatch();
      this.#events.exit(exit);
    });
  }
}

/** Its input ended with the session. */
async function untilEnded(writer: number, clock: Clock): Promise<void> {
  while (writer > 0 && isRunning(writer)) {
    await new Promise<void>((resolve) => void clock.schedule(WRITER_LOOK_MS, resolve));
  }
}
