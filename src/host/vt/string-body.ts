/** What is kept of one operating system command, in bytes. What follows is swallowed: nothing honest is longer. */
const MAX_STRING_BYTES = 64 * 1024;

/** A body of up to this size keeps its memory for the next one. */
const SMALL_BYTES = 1024;

const NOTHING = Buffer.alloc(0);

/** The body of a string of unknown length, gathered up to MAX_STRING_BYTES. */
export class StringBody {
  #bytes = NOTHING;
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const length = Math.min(this.#length + end - start, MAX_STRING_BYTES);
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(start, start + length - this.#length), this.#length);
    this.#length = length;
  }

  /** A view of what was gathered, without the last `spare` bytes if those are there at all. It holds until the next append. */
  take(spare: number): Uint8Array {
    const isCut = this.#length === MAX_STRING_BYTES;
    const body = this.#bytes.subarray(0, Math.max(0, this.#length - (isCut ? 0 : spare)));
    if (this.#bytes.length > SMALL_BYTES) this.#bytes = NOTHING;
    this.#length = 0;
    return body;
  }
}
