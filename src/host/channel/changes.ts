import type { Cancel, Clock } from "../../time/clock.ts";
import type { TerminalInfo } from "./messages.ts";

/** How long changes are collected after one was told, in milliseconds: a program may set its title without end. */
const COLLECT_MS = 50;

/** How long the end of a program waits for its viewer to have been sent what it wrote last, in milliseconds. Whoever leaves
 * when the program has ended has seen everything by then; one that takes nothing is told all the same. */
const LAST_OUTPUT_MS = 1_000;

export interface ChangesParts {
  readonly clock: Clock;
  /** What was told when the viewer came. */
  readonly first: TerminalInfo;
  /** The terminal as it is. */
  read(): TerminalInfo;
  tell(terminal: TerminalInfo): void;
  /** Whether more can be told now: what a connection does not take is not heaped up for it. */
  mayTell(): boolean;
  /** Whether the viewer has been sent all output. */
  isUpToDate(): boolean;
}

/** Tells a viewer when something is said of its terminal that differs: at once after quiet, and as it stands a little
 * later where one change follows another. */
export class Changes {
  readonly #parts: ChangesParts;
  #told: string;
  #due: Cancel | undefined;
  #isWaitingForOutput = false;
  #endedAt: number | undefined;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    this.#told = JSON.stringify(parts.first);
  }

  /** Something may differ. */
  look(): void {
    if (this.#due === undefined) this.#tell();
  }

  /** The viewer has been sent all output. */
  caughtUp(): void {
    if (!this.#isWaitingForOutput) return;
    this.#isWaitingForOutput = false;
    this.#due?.();
    this.#due = undefined;
    this.#tell();
  }

  end(): void {
    this.#due?.();
  }

  #tell(): void {
    const { clock, read, tell, mayTell } = this.#parts;
    if (!mayTell()) {
      this.#later(COLLECT_MS);
      return;
    }
    const info = read();
    const text = JSON.stringify(info);
    if (text === this.#told) return;
    const rest = info.exited === undefined ? 0 : this.#outputRest(clock.monotonic());
    if (rest > 0) {
      this.#isWaitingForOutput = true;
      this.#later(rest);
      return;
    }
    this.#told = text;
    tell(info);
    this.#later(COLLECT_MS);
  }

  /** How long there is to wait for the last output yet. */
  #outputRest(now: number): number {
    this.#endedAt ??= now;
    return this.#parts.isUpToDate() ? 0 : this.#endedAt + LAST_OUTPUT_MS - now;
  }

  #later(ms: number): void {
    this.#due = this.#parts.clock.schedule(ms, () => {
      this.#due = undefined;
      this.#tell();
    });
  }
}
