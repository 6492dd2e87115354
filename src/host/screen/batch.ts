/** Bytes that wait for more to come with them; past it they are sent at once. Of so many lines at once most need no parsing. */
const BATCH_BYTES = 256 * 1024;

/** The room of a batch of a flood, in bytes: what comes last, 64 KiB at most, is to fit as well. */
export const FLOOD_ROOM = BATCH_BYTES + 64 * 1024;

/** The room of a batch that is about to begin, in bytes; it doubles from there up to the last, and is then a flood's. */
const FIRST_ROOM = 512;
const LAST_ROOM = 16 * 1024;

const NONE = new Uint8Array(0);

/** Output that waits to be sent on together. */
export class Batch {
  /** Gives room for a flood. */
  readonly #spare: () => ArrayBuffer;
  #room: Uint8Array<ArrayBuffer> = NONE;
  #length = 0;

  constructor(spare: () => ArrayBuffer) {
    this.#spare = spare;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= BATCH_BYTES;
  }

  /** Copies them. */
  add(bytes: Uint8Array): void {
    this.#reserve(this.#length + bytes.length);
    this.#room.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** All of it, to give away with its memory. */
  take(): Uint8Array<ArrayBuffer> {
    const all = this.#room.subarray(0, this.#length);
    this.clear();
    return all;
  }

  clear(): void {
    this.#room = NONE;
    this.#length = 0;
  }

  #reserve(needed: number): void {
    if (needed <= this.#room.length) return;
    const grown = new Uint8Array(this.#memory(needed));
    grown.set(this.#room.subarray(0, this.#length));
    this.#room = grown;
  }

  #memory(needed: number): ArrayBuffer {
    if (needed > FLOOD_ROOM) return new ArrayBuffer(needed);
    if (needed > LAST_ROOM) return this.#spare();
    return new ArrayBuffer(Math.max(FIRST_ROOM, 2 ** Math.ceil(Math.log2(needed))));
  }
}
