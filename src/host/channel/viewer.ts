import type { Cancel, Clock } from "../../time/clock.ts";
import type { Terminal } from "../terminal.ts";
import { whenInterrupted } from "./interrupted.ts";
import { Lateness } from "./lateness.ts";
import { OUTPUT_BYTES } from "./outgoing.ts";
import { isInterrupt } from "./sends.ts";
import type { Sender, Turns } from "./turns.ts";
import type { OutputWindow } from "./window.ts";

/** How much may wait in the socket, in bytes: what a message or another terminal's output waits behind. */
export const SOCKET_BYTES = 64 * 1024;

/** How long the whole window may be full without an acknowledgement before its viewer is given up, and how long a smaller
 * one before it is the whole one again, in milliseconds. */
export const SILENCE_MS = 30_000;
const STALL_MS = 250;

/** How many lines above the screen a viewer is shown when it comes, at most. It has them before the screen, so they have to
 * be few on a slow link: some 100 KB. */
const HISTORY_LINES = 1_000;

/** How much a viewer is shown at first, in bytes, unless the screen alone is more: where lines are full of colours there are
 * fewer of them. It is held until the viewer has taken it. */
const FIRST_PAINT_BYTES = 512 * 1024;

/** The way to one connection. */
export interface ViewerWire {
  /** Bytes that wait in it. */
  readonly buffered: number;
  output(bytes: Uint8Array): void;
  /** Output of the program was sent, from one offset up to another. */
  passed(from: number, to: number): void;
  skipped(bytes: number): void;
  /** Not all that was typed was taken. */
  refused(why: string): void;
  /** Everything there is has been sent. */
  caughtUp(): void;
  /** The viewer takes nothing any more. */
  giveUp(why: string): void;
}

export interface ViewerOptions {
  readonly terminal: Terminal;
  readonly wire: ViewerWire;
  /** The connection's. */
  readonly window: OutputWindow;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  /** Resolves when the connection's look before this one paints no more. Default: there was none. */
  readonly painted?: Promise<void>;
}

/** What shows a screen, and the output's offset that it shows. */
interface Painted {
  readonly bytes: Buffer;
  readonly end: number;
}

/** One connection that looks at a terminal. It is sent straight from the terminal's output as far as its window allows,
 * so a slow one costs no memory; one that falls far behind is repainted. It never holds the program up. */
export class Viewer implements Sender {
  readonly terminal: Terminal;
  readonly isReadOnly: boolean;
  readonly #options: ViewerOptions;
  readonly #unlisten: () => void;
  /** Up to where it was sent, as an offset of the output. Absent before it was painted first. */
  #position: number | undefined;
  /** What of a repaint has not been sent. */
  #paint: Buffer | undefined;
  #isPainting = false;
  readonly #lateness: Lateness;
  /** Arranged for when no acknowledgement comes. */
  #silence: Cancel | undefined;
  #interrupted: Cancel | undefined;
  #ended = false;
  /** Resolves when the screen that was asked for last is there. */
  #painted: Promise<void>;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#lateness = new Lateness(options.clock);
    this.#painted = options.painted ?? Promise.resolve();
    this.terminal = options.terminal;
    this.isReadOnly = options.isReadOnly;
    this.terminal.watch(this);
    this.#unlisten = this.terminal.output.on(() => this.#wake());
    this.#repaint();
  }

  /** Resolves when no screen is on its way that it asked for: one after the other, however often a connection attaches. */
  get painted(): Promise<void> {
    return this.#painted;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#unlisten();
    this.#silence?.();
    this.#interrupted?.();
    this.#options.turns.remove(this);
    this.terminal.unwatch(this);
  }

  /** Whether it has been sent everything there is. */
  get isUpToDate(): boolean {
    return !this.#isPainting && !this.#hasMore;
  }

  acknowledge(bytes: number): void {
    const { window, clock } = this.#options;
    window.acknowledged(bytes, clock.monotonic());
    this.#silence?.();
    this.#silence = undefined;
    this.#wake();
  }

  /** Types what the viewer typed. One that is behind and interrupts wants to see what comes of it. */
  type(bytes: Uint8Array): void {
    const { terminal } = this;
    terminal.used(this);
    if (isInterrupt(bytes) && terminal.state === "running") {
      terminal.interrupt(bytes);
      this.#lateness.interrupted();
      if (this.#hasMore) this.#repaintSoon();
      return;
    }
    const taken = terminal.write(bytes);
    if (taken === bytes.length) return;
    const why =
      terminal.state === "running" ? "the program does not read" : "the program has ended";
    this.#options.wire.refused(`${why}: ${taken} of ${bytes.length} bytes were typed`);
  }

  resize(cols: number, rows: number): void {
    this.terminal.fit(this, { cols, rows });
  }

  /** The socket has taken what waited in it. */
  drained(): void {
    this.#wake();
  }

  sendSlice(): boolean {
    if (this.#ended || this.#isPainting) return false;
    if (!this.#hasMore || !this.#maySend()) return false;
    if (this.#paint !== undefined) this.#sendPaint(this.#paint);
    else if (this.#isTooLate) this.#repaint();
    else this.#sendOutput();
    if (this.isUpToDate) this.#options.wire.caughtUp();
    return !this.#isPainting && this.#hasMore;
  }

  failed(): void {
    if (this.#ended) return;
    this.#options.wire.giveUp("the output could not be sent because of a fault in the host");
  }

  get #lag(): number {
    return this.terminal.ring.end - (this.#position ?? 0);
  }

  get #hasMore(): boolean {
    return this.#paint !== undefined || this.#lag > 0;
  }

  get #isTooLate(): boolean {
    const { ring } = this.terminal;
    const isLost = this.#position === undefined || this.#position < ring.start;
    return isLost || this.#lateness.isTooMuch(this.#lag);
  }

  #maySend(): boolean {
    const { window, wire } = this.#options;
    if (window.room > 0 && wire.buffered < SOCKET_BYTES) return true;
    this.#lateness.held();
    if (window.room === 0) this.#silence ??= this.#waitForAcknowledgement();
    return false;
  }

  #waitForAcknowledgement(): Cancel {
    const { window, wire, clock } = this.#options;
    if (!window.isFull) {
      return clock.schedule(STALL_MS, () => {
        this.#silence = undefined;
        window.widen();
        this.#wake();
      });
    }
    return clock.schedule(SILENCE_MS, () => {
      wire.giveUp(
        `the viewer has acknowledged nothing for ${SILENCE_MS / 1000} s while its window was full`,
      );
    });
  }

  #sendPaint(paint: Buffer): void {
    const slice = paint.subarray(0, this.#sliceBytes);
    this.#send(slice);
    this.#paint = slice.length === paint.length ? undefined : paint.subarray(slice.length);
  }

  #sendOutput(): void {
    const from = this.#position ?? 0;
    const slice = this.terminal.ring.slice(from, this.#sliceBytes);
    this.#send(slice);
    this.#position = from + slice.length;
    this.#options.wire.passed(from, this.#position);
    if (this.#lag === 0) this.#lateness.isOver();
  }

  get #sliceBytes(): number {
    return Math.min(OUTPUT_BYTES, this.#options.window.slice);
  }

  #send(bytes: Uint8Array): void {
    const { window, wire, clock } = this.#options;
    window.sent(bytes.length, clock.monotonic());
    wire.output(bytes);
  }

  #repaintSoon(): void {
    if (this.#isPainting) return;
    this.#isPainting = true;
    // What of an earlier repaint was sent is undone by the next, wherever it was cut.
    this.#paint = undefined;
    const { clock, terminal } = this.#options;
    this.#interrupted = whenInterrupted(clock, terminal.ring, () => this.#repaint());
  }

  /** Shows the screen as it is, in place of all output up to now. */
  #repaint(): void {
    this.#isPainting = true;
    this.#painted = this.#painted.then(() => this.#show()).catch(() => this.failed());
  }

  async #show(): Promise<void> {
    if (this.#ended) return;
    const isFirst = this.#position === undefined;
    const painted = isFirst ? this.#firstPaint() : this.terminal.screen.snapshot();
    const { bytes, end } = await painted.catch(() => this.#lastOutput());
    if (this.#ended) return;
    const skipped = end - (this.#position ?? end);
    if (skipped > 0) this.#options.wire.skipped(skipped);
    this.#paint = bytes.length === 0 ? undefined : bytes;
    this.#position = Math.max(end, this.#position ?? 0);
    this.#lateness.isOver();
    this.#isPainting = false;
    this.#wake();
    if (this.isUpToDate) this.#options.wire.caughtUp();
  }

  async #firstPaint(): Promise<Painted> {
    const { screen } = this.terminal;
    const painted = await screen.snapshot({ history: HISTORY_LINES });
    const share = FIRST_PAINT_BYTES / painted.bytes.length;
    if (share >= 1) return painted;
    return screen.snapshot({ history: Math.floor(HISTORY_LINES * share) });
  }

  /** What there is to show where the screen cannot be read: the end of the output, from where no sequence is open. */
  #lastOutput(): Painted {
    const { ring, recorded } = this.terminal;
    const from = Math.max(ring.start, this.#position ?? 0, ring.end - OUTPUT_BYTES);
    const whole = from === 0 ? 0 : recorded.scanner.points.after(from);
    return { bytes: RESET, end: whole ?? ring.end };
  }

  #wake(): void {
    if (!this.#ended && !this.#isPainting) this.#options.turns.wake(this);
  }
}

/** Ends what is open (CAN, ECMA-48 8.3.6) and resets a viewer's terminal (RIS, 8.3.105). */
const RESET = Buffer.from("\x18\x1bc");
