import type { Cancel, Clock } from "../../time/clock.ts";
import type { Terminal } from "../terminal.ts";
import type { Sender, Turns } from "./turns.ts";
import { OutputWindow } from "./window.ts";

/** How much goes in one frame at most, and how much may wait in the socket, in bytes: what a message or another
 * terminal's output waits behind. */
const SLICE_BYTES = 64 * 1024;
const SOCKET_BYTES = 64 * 1024;

/** How far a viewer may be behind, in bytes, and for how long where that is more than LATE_BYTES, in milliseconds,
 * before it is shown the screen as it is now instead of all that led there. */
const LAG_BYTES = 1024 * 1024;
const LATE_BYTES = 256 * 1024;
const LATE_MS = 250;

/** How long a full window may stand without an acknowledgement before its viewer is given up, in milliseconds. */
const SILENCE_MS = 30_000;

/** Resets a viewer's terminal (RIS, ECMA-48 8.3.105), so that a repaint finds it empty. */
const RESET = Buffer.from("\x1bc");

/** Keys that stop or end a program. */
const INTERRUPTS: ReadonlySet<number> = new Set([0x03, 0x1a, 0x1c]);

/** The way to one connection. */
export interface ViewerWire {
  /** Bytes that wait in it. */
  readonly buffered: number;
  output(bytes: Uint8Array): void;
  skipped(bytes: number): void;
  /** The viewer takes nothing any more. */
  giveUp(why: string): void;
}

export interface ViewerOptions {
  readonly terminal: Terminal;
  readonly wire: ViewerWire;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly isReadOnly: boolean;
}

/** One connection that looks at a terminal. It is sent straight from the terminal's output as far as its window allows,
 * so a slow one costs no memory; one that falls far behind is repainted. It never holds the program up. */
export class Viewer implements Sender {
  readonly terminal: Terminal;
  readonly isReadOnly: boolean;
  readonly #options: ViewerOptions;
  readonly #window = new OutputWindow();
  readonly #unlisten: () => void;
  /** Up to where it was sent, as an offset of the output. Absent before it was painted first. */
  #position: number | undefined;
  /** What of a repaint has not been sent. */
  #paint: Buffer | undefined;
  #isPainting = false;
  #wantsRepaint = false;
  /** Since when it could be sent nothing though there is something, in the monotonic clock. */
  #heldSince: number | undefined;
  #silence: Cancel | undefined;
  #ended = false;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.terminal = options.terminal;
    this.isReadOnly = options.isReadOnly;
    this.#unlisten = this.terminal.output.on(() => this.#wake());
    void this.#repaint();
  }

  end(): void {
    this.#ended = true;
    this.#unlisten();
    this.#silence?.();
    this.#options.turns.remove(this);
  }

  acknowledge(bytes: number): void {
    this.#window.acknowledged(bytes, this.#options.clock.monotonic());
    this.#silence?.();
    this.#silence = undefined;
    this.#wake();
  }

  /** Types what the viewer typed. One that is behind and interrupts wants to see what comes of it. */
  type(bytes: Uint8Array): void {
    this.terminal.seen();
    const first = bytes[0];
    if (bytes.length === 1 && first !== undefined && INTERRUPTS.has(first)) {
      if (this.#lag > 0) this.#wantsRepaint = true;
      this.terminal.interrupt(bytes);
    } else this.terminal.write(bytes);
  }

  /** The socket has taken what waited in it. */
  drained(): void {
    this.#wake();
  }

  sendSlice(): boolean {
    if (this.#ended || this.#isPainting) return false;
    if (!this.#hasMore) return false;
    if (!this.#maySend()) return false;
    if (this.#paint !== undefined) return this.#sendPaint(this.#paint);
    if (this.#isTooLate) {
      void this.#repaint();
      return false;
    }
    return this.#sendOutput();
  }

  get #lag(): number {
    return this.terminal.ring.end - (this.#position ?? 0);
  }

  get #hasMore(): boolean {
    return this.#paint !== undefined || this.#lag > 0;
  }

  get #isTooLate(): boolean {
    const { ring } = this.terminal;
    const held = this.#options.clock.monotonic() - (this.#heldSince ?? Number.POSITIVE_INFINITY);
    const isHeldLong = held >= LATE_MS && this.#lag > LATE_BYTES;
    const isLost = this.#position === undefined || this.#position < ring.start;
    return this.#wantsRepaint || isLost || this.#lag > LAG_BYTES || isHeldLong;
  }

  #maySend(): boolean {
    const isWindowOpen = this.#window.room > 0;
    if (isWindowOpen && this.#options.wire.buffered < SOCKET_BYTES) return true;
    this.#heldSince ??= this.#options.clock.monotonic();
    if (!isWindowOpen) this.#silence ??= this.#waitForAcknowledgement();
    return false;
  }

  #waitForAcknowledgement(): Cancel {
    return this.#options.clock.schedule(SILENCE_MS, () => {
      this.#options.wire.giveUp(
        `the viewer has acknowledged nothing for ${SILENCE_MS / 1000} s while its window was full`,
      );
    });
  }

  #sendPaint(paint: Buffer): boolean {
    const slice = paint.subarray(0, Math.min(SLICE_BYTES, this.#window.room));
    this.#send(slice);
    this.#paint = slice.length === paint.length ? undefined : paint.subarray(slice.length);
    return this.#hasMore;
  }

  #sendOutput(): boolean {
    const from = this.#position ?? 0;
    const slice = this.terminal.ring.slice(from, Math.min(SLICE_BYTES, this.#window.room));
    this.#send(slice);
    this.#position = from + slice.length;
    if (this.#lag === 0) this.#heldSince = undefined;
    return this.#hasMore;
  }

  #send(bytes: Uint8Array): void {
    this.#window.sent(bytes.length, this.#options.clock.monotonic());
    this.#options.wire.output(bytes);
  }

  /** Shows the screen as it is, in place of all output up to now. */
  async #repaint(): Promise<void> {
    this.#isPainting = true;
    const isFirst = this.#position === undefined;
    try {
      const { bytes, end } = await this.terminal.screen.snapshot();
      if (this.#ended) return;
      const skipped = end - (this.#position ?? end);
      if (!isFirst && skipped > 0) this.#options.wire.skipped(skipped);
      this.#paint = isFirst ? bytes : Buffer.concat([RESET, bytes]);
      this.#position = end;
    } catch {
      // A screen that cannot be read is gone with its terminal.
      if (this.#ended || isFirst) return;
    }
    this.#wantsRepaint = false;
    this.#heldSince = undefined;
    this.#isPainting = false;
    this.#wake();
  }

  #wake(): void {
    if (!this.#ended && !this.#isPainting) this.#options.turns.wake(this);
  }
}
