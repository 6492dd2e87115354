/** What is kept in front of `start`, in bytes: room for a safe point before any offset that a reader may name (they are
 * at most two steps of SafePoints away, unless one sequence is longer than that). */
export const RING_MARGIN = 8 * 1024;

const FIRST_CAPACITY = 4 * 1024;

/**
 * The last bytes of a terminal's output, addressed by how many came before them since the terminal began. Offsets are
 * plain numbers: at 1 GB/s they stay exact for three months. Memory grows with the output up to the limit and RING_MARGIN,
 * and stays there. Appending costs the bytes appended, and once more while it grows.
 */
export class Ring {
  readonly limit: number;
  readonly #most: number;
  /** What came before is not known here. */
  #origin: number;
  #bytes = Buffer.alloc(0);
  #end: number;

  /** `limit`: bytes that stay readable from `start` on. `origin`: offset of the first byte that will be appended. */
  constructor(limit: number, origin = 0) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`The limit of a ring must be a positive number of bytes, got ${limit}`);
    }
    this.limit = limit;
    this.#most = limit + RING_MARGIN;
    this.#origin = origin;
    this.#end = origin;
  }

  /** Offset of the first byte that readers are promised. */
  get start(): number {
    return Math.max(this.#origin, this.#end - this.limit);
  }

  /** Offset of the first byte that is still there. What lies before `start` is for parsers that have to begin early. */
  get floor(): number {
    return Math.max(this.#origin, this.#end - this.#most);
  }

  /** Offset after the last byte. */
  get end(): number {
    return this.#end;
  }

  /** Bytes of memory held. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** So many bytes are left out, which nobody has: what came before them is kept no longer. */
  skip(length: number): void {
    this.#end += length;
    this.#origin = this.#end;
    this.#bytes = Buffer.alloc(0);
  }

  append(bytes: Uint8Array): void {
    const kept = bytes.length > this.#most ? bytes.subarray(bytes.length - this.#most) : bytes;
    this.#reserve(this.#end - this.#origin + bytes.length);
    this.#end += bytes.length;
    if (kept.length === 0) return;
    const at = (this.#end - this.#origin - kept.length) % this.#bytes.length;
    const first = Math.min(kept.length, this.#bytes.length - at);
    this.#bytes.set(kept.subarray(0, first), at);
    this.#bytes.set(kept.subarray(first), 0);
  }

  /**
   * A view of at most `max` bytes from the offset on, valid until the next append: copy to keep. It ends early where the
   * memory wraps, so ask again from where it ended; it is empty only at `end`, or when `max` is 0.
   */
  slice(from: number, max: number): Uint8Array {
    if (from < this.floor || from > this.#end) {
      throw new RangeError(
        `A slice must begin between ${this.floor} and ${this.#end}, got ${from}: look at start first`,
      );
    }
    if (from === this.#end) return this.#bytes.subarray(0, 0);
    const at = (from - this.#origin) % this.#bytes.length;
    const length = Math.min(Math.max(0, max), this.#end - from, this.#bytes.length - at);
    return this.#bytes.subarray(at, at + length);
  }

  /** A copy of all bytes from one offset to another. */
  copy(from: number, to: number): Buffer {
    const whole = Buffer.allocUnsafe(Math.max(0, to - from));
    for (let at = from; at < to; ) {
      const part = this.slice(at, to - at);
      if (part.length === 0) throw new RangeError(`A copy must end by ${this.#end}, got ${to}`);
      whole.set(part, at - from);
      at += part.length;
    }
    return whole;
  }

  /** Before the capacity is what it may be at most, nothing has wrapped: offsets from the origin on are indices. */
  #reserve(length: number): void {
    const needed = Math.min(length, this.#most);
    if (needed <= this.#bytes.length) return;
    const wanted = Math.max(needed, 2 * this.#bytes.length, FIRST_CAPACITY);
    const grown = Buffer.allocUnsafeSlow(Math.min(wanted, this.#most));
    grown.set(this.#bytes.subarray(0, this.#end - this.#origin), 0);
    this.#bytes = grown;
  }
}
