/** The body of a frame that may come in pieces. What waits for its end is kept once, and no larger than what has come of it,
 * twice: a length is only a claim. */
export class FrameBody {
  readonly #firstRoom: number;
  #bytes = Buffer.alloc(0);
  #filled = 0;

  /** `firstRoom`: bytes that most bodies are no longer than. */
  constructor(firstRoom: number) {
    this.#firstRoom = firstRoom;
  }

  /** How much of it is kept, in bytes. */
  get filled(): number {
    return this.#filled;
  }

  /** Takes a piece of a body of that length and answers the whole once it is there. One that came at once is not copied. */
  take(piece: Uint8Array, length: number): Uint8Array | undefined {
    if (piece.length === length) return piece;
    const filled = this.#filled + piece.length;
    if (filled > this.#bytes.length) {
      const room = Math.max(filled, 2 * this.#bytes.length, this.#firstRoom);
      const larger = Buffer.allocUnsafe(Math.min(room, length));
      larger.set(this.#bytes.subarray(0, this.#filled));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#filled);
    this.#filled = filled;
    if (filled < length) return undefined;
    const whole = this.#bytes.subarray(0, filled);
    this.#bytes = Buffer.alloc(0);
    this.#filled = 0;
    return whole;
  }
}
