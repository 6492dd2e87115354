import type { Buffer, Inside } from "./internals.ts";

/** How many numbers a cell has (cells.ts), and how many bytes these. */
const CELL_NUMBERS = 3;
const CELL_BYTES = CELL_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;

/** How many lines have to have left the screen before they are moved: what writes little has no memory of its own. */
const STEP_LINES = 64;

/** Room for this many lines beside the history: for those that a program cleared. */
const SPARE_LINES = 256;

/** The most for one screen: what 1 000 lines of 250 columns and some more take. Lines beyond stay where they are. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A page of WebAssembly. */
const PAGE_BYTES = 64 * 1024;

/** What is used of it here, as a project without the types of browsers does not know it. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
};

/**
 * Keeps the history of one screen in memory of its own. xterm.js allocates each line apart, and the allocator gives pages
 * back only once all that lies above them is free, which with lines of many screens among each other is never: after
 * 200 screens had been frozen, 90 % of their memory was still taken. Memory of WebAssembly is pages of the system, is
 * taken as it is written to, and goes back as a whole.
 *
 * A line works wherever its numbers are, so one that stays where it was is right too.
 */
export class LineMemory {
  readonly #wanted: number;
  /** Room for so many lines of the width. */
  #room = 0;
  #buffer: Buffer | undefined;
  #memory: ArrayBuffer | undefined;
  #cols = 0;
  #used = 0;
  #looked = 0;

  /** `scrollback`: the lines that the screen keeps above what it shows. */
  constructor(scrollback: number) {
    this.#wanted = scrollback + SPARE_LINES;
  }

  /** Moves the lines that have left the screen since the last time, once there are some. */
  settle({ buffers: { normal }, cols }: Inside): void {
    if (normal !== this.#buffer || cols !== this.#cols) this.#begin(normal, cols);
    // Lines were cleared, and others may have taken their places.
    if (normal.ybase < this.#looked) this.#looked = normal.ybase;
    if (normal.ybase - this.#looked < STEP_LINES || this.#used === this.#room) return;
    this.#memory ??= memoryOf(this.#room * cols * CELL_BYTES);
    for (; this.#looked < normal.ybase; this.#looked += 1) this.#move(this.#looked);
  }

  /** Gives every line an array of its own again. Has to be called before the width changes: xterm.js takes all of the
   * memory that a line lies in for that line's. */
  leave(): void {
    const { lines } = this.#buffer ?? { lines: undefined };
    for (let row = 0; lines !== undefined && row < lines.length; row += 1) {
      const line: { _data: Uint32Array } | undefined = lines.get(row);
      if (line !== undefined && line._data.buffer === this.#memory) {
        line._data = new Uint32Array(line._data);
      }
    }
    this.forget();
  }

  /** The screen's lines are gone. */
  forget(): void {
    this.#buffer = undefined;
    this.#memory = undefined;
  }

  #begin(buffer: Buffer, cols: number): void {
    this.forget();
    this.#buffer = buffer;
    this.#cols = cols;
    this.#room = Math.min(this.#wanted, Math.floor(MOST_BYTES / (cols * CELL_BYTES)));
    this.#used = 0;
    this.#looked = 0;
  }

  #move(row: number): void {
    const line: { _data: Uint32Array } | undefined = this.#buffer?.lines.get(row);
    const length = this.#cols * CELL_NUMBERS;
    if (line === undefined || line._data.length !== length || this.#memory === undefined) return;
    if (line._data.buffer === this.#memory || this.#used === this.#room) return;
    const place = new Uint32Array(this.#memory, this.#used * this.#cols * CELL_BYTES, length);
    place.set(line._data);
    line._data = place;
    this.#used += 1;
  }
}

/** Absent where the system has no more of it. */
function memoryOf(bytes: number): ArrayBuffer | undefined {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer;
  } catch {
    return undefined;
  }
}
