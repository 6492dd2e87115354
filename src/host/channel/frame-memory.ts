import { Buffer } from "node:buffer";

/** Frames from here on are worth it, in bytes. */
const LEAST_BYTES = 4 * 1024;

/** How many are kept, one size for all: what twenty viewers of a flood have on their way. */
const KEPT = 20;

/** Memory for the frames of output, of one size, that is used again once a socket has taken them. Six viewers of a flood have
 * more than 100 MB a second sent; new memory for that would have the collector at work a third of the time. */
export class FrameMemory {
  readonly #size: number;
  readonly #free: Buffer[] = [];

  /** `size`: the longest frame that it is for, in bytes. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Memory for a frame of that length. */
  take(length: number): Buffer {
    if (length < LEAST_BYTES || length > this.#size) return Buffer.allocUnsafe(length);
    const whole = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size);
    return whole.subarray(0, length);
  }

  /** Nobody reads the frame any more. */
  giveBack({ buffer, length }: Buffer): void {
    const isOurs = length >= LEAST_BYTES && buffer.byteLength === this.#size;
    if (isOurs && this.#free.length < KEPT) this.#free.push(Buffer.from(buffer));
  }
}
