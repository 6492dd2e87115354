import { RING_MARGIN } from "../ring.ts";

/** How far apart the points are kept, in bytes. Reading from any offset costs at most as much again, and a ring of 1 MiB
 * has 256 of them. */
export const SAFE_POINT_STEP = 4 * 1024;

/**
 * Offsets of a terminal's output at which no character and no escape sequence is open, so that a parser may begin there.
 * For each multiple of SAFE_POINT_STEP it is the first such offset at or after it, whatever pieces the output came in.
 */
export class SafePoints {
  readonly #most: number;
  #points: number[];

  /** `limit`: of the ring that the points are kept for, in bytes. `origin`: where the output begins that is fed; what is open
   * there is known at the very beginning alone. */
  constructor(limit: number, origin = 0) {
    this.#most = Math.ceil((limit + RING_MARGIN) / SAFE_POINT_STEP) + 2;
    this.#points = origin === 0 ? [0] : [];
  }

  /** What is open at offsets up to here is known no longer. */
  clear(): void {
    this.#points = [];
  }

  /** Offsets must rise. */
  add(offset: number): void {
    this.#points.push(offset);
    if (this.#points.length >= 2 * this.#most) this.#points = this.#points.slice(-this.#most);
  }

  /** The last point that is not after the offset; `undefined` where none is kept. */
  before(offset: number): number | undefined {
    return this.#points[this.#firstAfter(offset) - 1];
  }

  /** The first point after the offset; `undefined` where there is none yet. */
  after(offset: number): number | undefined {
    return this.#points[this.#firstAfter(offset)];
  }

  #firstAfter(offset: number): number {
    let low = 0;
    let high = this.#points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#points[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
