import { beginAt, goOnAfter, type RecordedOutput } from "./recorded.ts";
import { PlainRenderer } from "./renderer.ts";

/** How much is rendered in one turn of the event loop, in bytes: 3 ms of the slowest text. */
export const TURN_BYTES = 64 * 1024;

/** Plain text of a terminal's output from an offset on, which follows the output as it comes. */
export class FollowingText {
  readonly #output: RecordedOutput;
  readonly #renderer: PlainRenderer;
  #position: number;

  /** Begins at what is kept: `from` before that means its start, `from` after the end means the end. `keep`: code units of
   * text that can be asked for. */
  constructor(output: RecordedOutput, from: number, keep: number) {
    const { ring, cols } = output;
    this.#output = output;
    this.#renderer = new PlainRenderer({ cols, keep });
    const start = Math.max(ring.start, Math.min(from, ring.end));
    this.#position = beginAt(output, start, this.#renderer);
  }

  /** Offset of the output that the text is complete up to. */
  get position(): number {
    return this.#position;
  }

  /** Code units that can change no more, since the beginning. */
  get finished(): number {
    return this.#renderer.finished;
  }

  /** Takes in what has come, TURN_BYTES at most: a caller that finds `position` short of where it must be asks again in a
   * later turn. One that never asks while more comes than the ring holds misses what it no longer has, and a new line
   * begins there. */
  advance(): void {
    const { ring, cols } = this.#output;
    if (this.#position < ring.floor) {
      this.#position = goOnAfter(this.#output, ring.start, this.#renderer);
    }
    this.#renderer.resize(cols);
    for (let left = TURN_BYTES; left > 0 && this.#position < ring.end; ) {
      const bytes = ring.slice(this.#position, left);
      this.#renderer.feed(bytes);
      this.#position += bytes.length;
      left -= bytes.length;
    }
  }

  /** Finished text after its first `position` code units, as far as it is kept, and what follows and may still change. */
  since(position: number): { readonly finished: string; readonly open: string } {
    return this.#renderer.since(position);
  }
}
