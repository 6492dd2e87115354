const LF = 0x0a;
const ESC = 0x1b;

/** How far the output is looked through for a place at which a screen may begin, in bytes. */
const SEARCH_BYTES = 64 * 1024;

export interface UnfedFrom {
  /** Offset of the first output that comes. */
  readonly start: number;
  /** Offset of the first output that the screen is to have. */
  readonly from: number;
  /** What the screen was fed that is no output, in bytes. */
  readonly primed: number;
}

/** What of a terminal's output its screen is not fed: it is gone, or would scroll out of the screen and its history. */
export class Unfed {
  /** How much the terminal counts that the screen has not been fed. */
  bytes: number;
  readonly #from: number;
  #at: number;
  #isFeeding: boolean;

  constructor({ start, from, primed }: UnfedFrom) {
    this.bytes = start - primed;
    this.#at = start;
    this.#from = from;
    this.#isFeeding = from <= start;
  }

  /** The part of the output that comes next which the screen is to have. The first of it begins with a line or a sequence. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#isFeeding) return bytes;
    const begin = this.#beginIn(bytes);
    this.#at += bytes.length;
    this.bytes += begin;
    this.#isFeeding = begin < bytes.length;
    return bytes.subarray(begin);
  }

  /** So much output is gone. */
  missed(bytes: number): void {
    this.#at += bytes;
    this.bytes += bytes;
  }

  #beginIn(bytes: Uint8Array): number {
    const first = this.#from - this.#at;
    if (first >= bytes.length) return bytes.length;
    if (first < -SEARCH_BYTES) return 0;
    for (let at = Math.max(0, first); at < bytes.length; at += 1) {
      if (bytes[at] === ESC) return at;
      if (bytes[at] === LF) return at + 1;
    }
    return bytes.length;
  }
}
