import type { Ring } from "../ring.ts";

/** How much is looked through at once, in bytes. */
const SLICE_BYTES = 1024 * 1024;

/** Looks for bytes in output as it comes; each byte is looked at once. */
export class LiteralSearch {
  readonly #ring: Pick<Ring, "floor" | "end" | "copy">;
  readonly #wanted: Buffer;
  #at: number;
  #isFound = false;

  /** `from`: an offset of the output. */
  constructor(ring: Pick<Ring, "floor" | "end" | "copy">, wanted: string, from: number) {
    this.#ring = ring;
    this.#wanted = Buffer.from(wanted);
    this.#at = from;
  }

  /** Whether they have come by now. */
  isFound(): boolean {
    const { end } = this.#ring;
    const overlap = this.#wanted.length - 1;
    while (!this.#isFound && this.#at + overlap < end) {
      const from = Math.max(this.#at, this.#ring.floor);
      const to = Math.min(end, from + SLICE_BYTES + overlap);
      this.#isFound = this.#ring.copy(from, to).includes(this.#wanted);
      // The end of what was looked at may be the beginning of what is wanted.
      this.#at = Math.max(from, to - overlap);
    }
    return this.#isFound;
  }
}
