import { Buffer } from "node:buffer";
import type { Cancel, Clock } from "../../time/clock.ts";
import type { Master } from "./master.ts";
import { discardUnread } from "./unread.ts";

/** How much may wait for a program that does not read, in bytes: the longest paste that is taken whole. */
export const INPUT_LIMIT_BYTES = 1024 * 1024;

/** How much is written in one turn of the event loop. */
const SLICE_BYTES = 64 * 1024;

/** How often writing is tried in the next turn before time is let pass: a program that reads is back within these. */
const TURNS = 4;

/** The pauses after that are this share of the time for which the program has not read, from 1 ms to LONGEST_PAUSE_MS.
 * What it had not read for a second waits that little longer, and one that never reads costs half a percent of a
 * processor: each try is an exception. */
const PAUSE_SHARE = 1 / 16;
const LONGEST_PAUSE_MS = 50;

/** As much as the kernel holds for a program that does not read (N_TTY_BUF_SIZE, n_tty.c). More typed at once than
 * this may be standing in front of whatever is typed next. */
const KERNEL_BYTES = 4_095;

/** Input typed within this time of each other is one burst, in milliseconds. */
const BURST_MS = 1_000;

/** What is typed into a terminal, on its way to the master. */
export class Input {
  readonly #master: Pick<Master, "write">;
  readonly #slave: number;
  readonly #clock: Clock;
  /** What waits is `#bytes` from `#start` to `#end`. Grown on demand. */
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #cancel: Cancel | undefined;
  /** Tries since the kernel last took something, and when the first of them was. */
  #tries = 0;
  #stuckAt = 0;
  #isClosed = false;
  /** The kernel's own queue is being emptied; nothing is written meanwhile. */
  #isClearing = false;
  #burst = 0;
  #lastAt = 0;

  constructor(master: Pick<Master, "write">, slave: number, clock: Clock) {
    this.#master = master;
    this.#slave = slave;
    this.#clock = clock;
  }

  get queued(): number {
    return this.#end - this.#start;
  }

  /** Answers how many bytes are taken, from the front: less than given where too much waits already, none once the
   * terminal has ended. */
  write(bytes: Uint8Array): number {
    if (this.#isClosed) return 0;
    const accepted = Math.min(bytes.length, INPUT_LIMIT_BYTES - this.queued);
    this.#count(accepted);
    const isFree = this.queued === 0 && !this.#isClearing;
    const written = isFree ? this.#send(bytes.subarray(0, Math.min(accepted, SLICE_BYTES))) : 0;
    if (written < accepted && !this.#isClosed) {
      this.#append(bytes.subarray(written, accepted));
      if (isFree) this.#again(written > 0);
    }
    return accepted;
  }

  /** Writes before everything that waits, which is dropped. Where a program has stopped reading, what the kernel holds
   * for it stands before the interrupt as well, which would never be seen: it is dropped too, as a terminal does that
   * knows the key as its interrupt (termios(3), NOFLSH). */
  interrupt(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const isStuck = this.queued > 0 || this.#burst > KERNEL_BYTES;
    this.#drop();
    this.#burst = 0;
    if (isStuck && !this.#isClearing) {
      this.#isClearing = true;
      this.#append(bytes);
      void discardUnread(this.#slave, this.#clock, () => this.#isClosed).then(() => {
        this.#isClearing = false;
        this.#pump();
      });
      return;
    }
    this.write(bytes);
  }

  /** Nothing reaches the descriptors afterwards: their numbers may be another file's soon. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #count(bytes: number): void {
    const now = this.#clock.monotonic();
    const isOver = now - this.#lastAt > BURST_MS && this.#burst <= KERNEL_BYTES;
    this.#burst = (isOver ? 0 : this.#burst) + bytes;
    this.#lastAt = now;
  }

  #pump(): void {
    if (this.#isClosed || this.queued === 0 || this.#isClearing) return;
    const next = Math.min(this.#end, this.#start + SLICE_BYTES);
    const written = this.#send(this.#bytes.subarray(this.#start, next));
    if (this.#isClosed) return;
    this.#start += written;
    if (this.queued === 0) this.#drop();
    else this.#again(written > 0);
  }

  #again(hasProgress: boolean): void {
    const now = this.#clock.monotonic();
    if (hasProgress || this.#tries === 0) this.#stuckAt = now;
    this.#tries = hasProgress ? 0 : this.#tries + 1;
    if (this.#tries < TURNS) {
      const immediate = setImmediate(() => this.#pump());
      this.#cancel = () => clearImmediate(immediate);
      return;
    }
    const share = (now - this.#stuckAt) * PAUSE_SHARE;
    const pause = Math.max(1, Math.min(LONGEST_PAUSE_MS, share));
    this.#cancel = this.#clock.schedule(pause, () => this.#pump());
  }

  /** A terminal that takes no input any more, because it was hung up, will not take it later either. */
  #send(bytes: Uint8Array): number {
    try {
      return this.#master.write(bytes);
    } catch {
      this.close();
      return 0;
    }
  }

  #append(bytes: Uint8Array): void {
    const length = this.queued + bytes.length;
    if (this.#end + bytes.length > this.#bytes.length) {
      const room = length <= this.#bytes.length / 2 ? this.#bytes.length : 2 * length;
      const grown = Buffer.allocUnsafeSlow(Math.min(2 * INPUT_LIMIT_BYTES, room));
      this.#bytes.copy(grown, 0, this.#start, this.#end);
      this.#bytes = grown;
      this.#start = 0;
    }
    this.#bytes.set(bytes, length - bytes.length + this.#start);
    this.#end = this.#start + length;
  }

  #drop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#bytes = Buffer.alloc(0);
    this.#start = 0;
    this.#end = 0;
    this.#tries = 0;
  }
}
