/** Tells the host what has been consumed, a step at a time: each acknowledgement costs both sides a message, and what is
 * not acknowledged holds later output back. */
export class Acknowledgements {
  readonly #step: number;
  readonly #send: (bytes: number) => void;
  #received = 0;
  #consumed = 0;
  #told = 0;

  /** `step` in bytes. */
  constructor(step: number, send: (bytes: number) => void) {
    this.#step = step;
    this.#send = send;
  }

  /** What has come and has not been consumed, in bytes. */
  get held(): number {
    return this.#received - this.#consumed;
  }

  received(bytes: number): void {
    this.#received += bytes;
  }

  /** More than has come counts as all of it. */
  consumed(bytes: number): void {
    this.#consumed = Math.min(this.#received, this.#consumed + bytes);
    const untold = this.#consumed - this.#told;
    if (untold < this.#step) return;
    this.#told = this.#consumed;
    this.#send(untold);
  }
}
