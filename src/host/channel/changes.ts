import type { Cancel, Clock } from "../../time/clock.ts";
import type { TerminalInfo } from "./messages.ts";
import { SILENCE_MS } from "./viewer.ts";

/** How long changes are collected after one was told, in milliseconds: a program may set its title without end. */
const COLLECT_MS = 50;

/** How long the end waits for a viewer that takes none of the output before it, in milliseconds: where the terminal is gone,
 * as somebody wanted it gone and may wait to hear that it is, and where the viewer never acknowledged anything. One that does
 * is waited for until it is given up: it may be on a slow link. */
const LAST_OUTPUT_MS = 1_000;

export interface ChangesParts {
  readonly clock: Clock;
  /** What was told when the viewer came. */
  readonly first: TerminalInfo;
  /** The terminal as it is. */
  read(): TerminalInfo;
  /** Whether it was taken away. */
  isClosed(): boolean;
  tell(terminal: TerminalInfo): void;
  /** Tells that it was taken away. Last. */
  tellClosed(): void;
  /** Whether more can be told now: what a connection does not take is not heaped up for it. */
  mayTell(): boolean;
  /** Whether the viewer has been sent all output. */
  isUpToDate(): boolean;
  /** What it was sent and has acknowledged. */
  readonly window: { readonly movedAt: number; readonly isAcknowledged: boolean };
}

/** Tells a viewer when something is said of its terminal that differs: at once after quiet, and as it stands a little
 * later where one change follows another. That its program has ended is told once and after the last output, also where it
 * had ended before the viewer came, and that the terminal is gone after that: who is told has seen everything. */
export class Changes {
  readonly #parts: ChangesParts;
  #told: string;
  #isEndTold = false;
  #due: Cancel | undefined;
  #isWaitingForOutput = false;
  /** Since when something has been told only after the last output. */
  #overSince: number | undefined;
  #ended = false;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    this.#told = JSON.stringify(parts.first);
  }

  /** Something may differ. */
  look(): void {
    if (this.#due === undefined) this.#tell();
    // It waits no longer for the viewer than it would have.
    else if (this.#isWaitingForOutput) this.#tellNow();
  }

  /** The viewer has been sent all output. */
  caughtUp(): void {
    if (this.#isWaitingForOutput) this.#tellNow();
  }

  end(): void {
    this.#ended = true;
    this.#due?.();
  }

  #tellNow(): void {
    this.#due?.();
    this.#due = undefined;
    this.#tell();
  }

  #tell(): void {
    const { read, isClosed, tell, tellClosed, mayTell } = this.#parts;
    this.#isWaitingForOutput = false;
    const info = read();
    const isGone = isClosed();
    const rest = isGone || info.exited !== undefined ? this.#outputRest(isGone) : 0;
    if (rest > 0) {
      this.#isWaitingForOutput = true;
      this.#later(rest);
      return;
    }
    if (!mayTell() && !isGone) {
      this.#later(COLLECT_MS);
      return;
    }
    const text = JSON.stringify(info);
    const isEnd = info.exited !== undefined && !this.#isEndTold;
    if (isEnd) this.#isEndTold = true;
    if (text !== this.#told || isEnd) {
      this.#told = text;
      tell(info);
      this.#later(COLLECT_MS);
    }
    if (isGone) tellClosed();
  }

  /** How long there is to wait for the last output yet. One that takes it is waited for to the end. */
  #outputRest(isGone: boolean): number {
    const { clock, isUpToDate, window } = this.#parts;
    const now = clock.monotonic();
    this.#overSince ??= now;
    if (isUpToDate()) return 0;
    const since = Math.max(this.#overSince, window.movedAt);
    const patience = window.isAcknowledged && !isGone ? SILENCE_MS : LAST_OUTPUT_MS;
    return since + patience - now;
  }

  #later(ms: number): void {
    // Whoever was told may have ended it.
    if (this.#ended) return;
    this.#due = this.#parts.clock.schedule(ms, () => {
      this.#due = undefined;
      this.#tell();
    });
  }
}
