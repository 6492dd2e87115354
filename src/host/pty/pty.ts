import type { Buffer } from "node:buffer";
import { closeSync } from "node:fs";
import { constants } from "node:os";
import type { Clock } from "../../time/clock.ts";
import { Drain } from "./drain.ts";
import { Input } from "./input.ts";
import { checkSize, type Launch, launch } from "./launch.ts";
import { Master } from "./master.ts";

export interface PtyOptions extends Launch {
  readonly clock: Clock;
}

/** How the program ended: by itself with a code, or by a signal such as `SIGKILL`. */
export interface PtyExit {
  readonly code?: number;
  readonly signal?: string;
  /** The terminal is gone, and nobody knows how its program ended. */
  readonly isLost?: true;
  /** False where what it wrote last may be missing: it could not be read within 1 s. */
  readonly drained: boolean;
}

export interface PtyEvents {
  /** At most 64 KiB at once. The bytes are valid within the call: copy to keep. The receiver may write into them. */
  data(bytes: Buffer): void;
  /** Once, after the last data. */
  exit(exit: PtyExit): void;
}

/** A program on a terminal of its own. It ends with that program: what others still write to the terminal then is lost
 * with it (they are told EIO), and they are not ended by that. `killTree` ends them. */
export interface Pty {
  /** The program's own process, which leads the terminal's session. Once `exit` was told, the number may be anybody's. */
  readonly pid: number;
  /** Path of the terminal's device. Once `exit` was told, the next terminal may have it. */
  readonly tty: string;
  /** Whether what the program asks its terminal is answered there already. */
  readonly answersQueries?: true;
  /** Input that waits for the program to read, in bytes. */
  readonly queued: number;
  /** Types. Answers how many bytes are taken, from the front: less than given where 1 MiB waits, 0 after the end. */
  write(bytes: Uint8Array): number;
  /** Types before everything that waits, which is dropped, also what the kernel holds for a program that has stopped
   * reading. For keys that interrupt. */
  interrupt(bytes: Uint8Array): void;
  /** Size in cells, 1 to 65 535 each; ignored after the end. */
  resize(cols: number, rows: number): void;
  /** Reads no output until `resume`, which makes the program wait when the kernel holds some 4 to 20 KiB. The end of
   * the program resumes. */
  pause(): void;
  resume(): void;
}

/** Starts a program on a new terminal. Throws `PtyUnavailable`, or an Error that says in words what is wrong. */
export function spawnPty(options: PtyOptions, events: PtyEvents): Pty {
  return new NativePty(options, events);
}

class NativePty implements Pty {
  readonly pid: number;
  readonly tty: string;
  readonly #clock: Clock;
  readonly #events: PtyEvents;
  readonly #master: Master;
  readonly #slave: number;
  readonly #input: Input;
  /** Present once the program has ended. */
  #how: Omit<PtyExit, "drained"> | undefined;
  #drain: Drain | undefined;
  #isOver = false;

  constructor(options: PtyOptions, events: PtyEvents) {
    this.#clock = options.clock;
    this.#events = events;
    const launched = launch(options, (code, signal) => this.#ended(code, signal));
    this.pid = launched.pid;
    this.tty = launched.tty;
    this.#slave = launched.slave;
    this.#master = new Master(launched.master, {
      data: (bytes) => this.#take(bytes),
      hungUp: () => this.#hungUp(),
    });
    this.#input = new Input(this.#master, launched.slave, options.clock);
  }

  get queued(): number {
    return this.#input.queued;
  }

  write(bytes: Uint8Array): number {
    return this.#input.write(bytes);
  }

  interrupt(bytes: Uint8Array): void {
    this.#input.interrupt(bytes);
  }

  resize(cols: number, rows: number): void {
    checkSize({ cols, rows });
    if (this.#how === undefined) this.#master.resize(cols, rows);
  }

  pause(): void {
    if (this.#how === undefined) this.#master.pause();
  }

  resume(): void {
    this.#master.resume();
  }

  #take(bytes: Buffer): void {
    if (this.#drain === undefined) {
      this.#events.data(bytes);
      return;
    }
    const written = this.#drain.take(bytes);
    if (written.length > 0) this.#events.data(written);
    this.#drain.look();
  }

  /** The process was waited for. Its last output may still be on its way. */
  #ended(code: number, signal: number): void {
    this.#how = signal === 0 ? { code } : { signal: signalName(signal) };
    this.#input.close();
    if (!this.#master.isOpen) {
      this.#finish(this.#how, true);
      return;
    }
    const how = this.#how;
    this.#drain = new Drain({
      master: this.#master,
      slave: this.#slave,
      clock: this.#clock,
      over: (isDrained) => this.#finish(how, isDrained),
    });
    this.#master.resume();
  }

  /** All output has been read. The end of the program may be still to come. */
  #hungUp(): void {
    this.#input.close();
    if (this.#how !== undefined) this.#finish(this.#how, true);
  }

  #finish(how: Omit<PtyExit, "drained">, drained: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const rest = this.#drain?.end();
    this.#master.close();
    closeSync(this.#slave);
    if (rest !== undefined && rest.length > 0) this.#events.data(rest);
    this.#events.exit({ ...how, drained });
  }
}

/** What a signal is called. A number may have an older second name (SIGIOT for SIGABRT); the usual one is listed first. */
export function signalName(signal: number): string {
  const named = Object.entries(constants.signals).find(([, number]) => number === signal);
  return named?.[0] ?? `SIG${signal}`;
}
