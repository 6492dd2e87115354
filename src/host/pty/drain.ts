import type { Buffer } from "node:buffer";
import type { Cancel, Clock } from "../../time/clock.ts";
import { writeSome } from "./descriptor.ts";
import { MarkerFilter, randomMarker } from "./marker.ts";
import type { Master } from "./master.ts";
import { discardNow } from "./unread.ts";

/** How long the last output is waited for, in milliseconds. It takes 3 to 8. */
const LIMIT_MS = 1_000;

/** More than the kernel holds of what programs wrote: it lets at most 640 KiB stand in the buffers of a tty
 * (TTYB_DEFAULT_MEM_LIMIT, tty_buffer.c), of a pseudo-terminal far less. */
const KERNEL_BYTES = 1024 * 1024;

const LONGEST_PAUSE_MS = 8;

/** Ctrl-Q: lets output go on that Ctrl-S has stopped (termios(3), VSTART). */
const START = Uint8Array.of(0x11);

export interface DrainOptions {
  readonly master: Pick<Master, "write">;
  readonly slave: number;
  readonly clock: Clock;
  /** Told once, unless `end` comes first. */
  over(isDrained: boolean): void;
}

/** Reads a terminal to its end after its program has ended. A marker that is written into the slave comes out of the
 * master behind everything that was written before. Where another program floods the same terminal the marker may find
 * no room; then enough is read to be past everything that the kernel can have held. */
export class Drain {
  readonly #options: DrainOptions;
  readonly #filter: MarkerFilter;
  readonly #limit: Cancel;
  #unwritten: Buffer;
  #cancelRetry: Cancel | undefined;
  #tries = 0;
  #read = 0;
  /** How much had been read when the marker was last tried. */
  #readBefore = -1;
  #isOver = false;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#unwritten = randomMarker();
    this.#filter = new MarkerFilter(this.#unwritten);
    this.#limit = options.clock.schedule(LIMIT_MS, () => this.#finish(false));
    this.#mark();
  }

  /** What programs wrote of these bytes. Call `look` when it has been passed on. */
  take(bytes: Buffer): Buffer {
    this.#read += bytes.length;
    return this.#filter.push(bytes);
  }

  look(): void {
    if (this.#filter.isFound || this.#read >= KERNEL_BYTES) this.#finish(true);
    // There is room now, if ever.
    else if (this.#unwritten.length > 0) this.#mark();
  }

  /** Ends the waiting, and gives what was kept back. */
  end(): Buffer {
    this.#isOver = true;
    this.#limit();
    this.#cancelRetry?.();
    return this.#filter.rest();
  }

  #mark(): void {
    if (this.#isOver) return;
    this.#cancelRetry?.();
    try {
      this.#unwritten = this.#unwritten.subarray(writeSome(this.#options.slave, this.#unwritten));
      if (this.#unwritten.length === 0) return;
      // Nothing came meanwhile, and yet there is no room: output is stopped.
      if (this.#read === this.#readBefore) this.#restart();
    } catch {
      // Hung up, as macOS does when the program ends: the end of the output is then told by the master.
      return;
    }
    this.#readBefore = this.#read;
    const pause = Math.min(LONGEST_PAUSE_MS, 2 ** this.#tries);
    this.#tries += 1;
    this.#cancelRetry = this.#options.clock.schedule(pause, () => this.#mark());
  }

  /** Input that nobody read would stand before it. */
  #restart(): void {
    discardNow(this.#options.slave);
    this.#options.master.write(START);
  }

  #finish(isDrained: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.over(isDrained);
  }
}
