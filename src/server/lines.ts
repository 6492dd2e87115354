import { MAX_FRAME_BYTES } from "../contract/envelope.ts";

const NEWLINE = 0x0a;

/** One line without its newline, or the fact that one was too long. */
export type Line = Buffer | "oversize";

/** Cuts bytes into lines before they are decoded, whatever pieces they come in. Lines are taken one
 * at a time, so that a reader which waits holds the bytes it was fed and nothing per line.
 *
 * Blank lines are left out. A line over the limit is told once, at the byte that makes it too long, and
 * dropped up to its newline. */
export class Lines {
  #chunks: Buffer[] = [];
  #next = 0;
  #offset = 0;
  /** The start of a line that came in more than one piece. It grows by doubling, so that a line in
   * single bytes is copied a bounded number of times. */
  #partial: Buffer = Buffer.alloc(0);
  #held = 0;
  #dropping = false;
  readonly #limit: number;

  constructor(limit: number = MAX_FRAME_BYTES) {
    this.#limit = limit;
  }

  /** Whether bytes were fed that `next` has not looked at. */
  get pending(): boolean {
    return this.#next < this.#chunks.length;
  }

  /** Takes bytes in. They must not be changed afterwards. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  /** The next line; `undefined` where more bytes are needed. */
  next(): Line | undefined {
    for (;;) {
      const chunk = this.#chunks[this.#next];
      if (chunk === undefined) return undefined;
      const start = this.#offset;
      const newline = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, newline === -1 ? chunk.length : newline);
      this.#advance(chunk, newline === -1 ? chunk.length : newline + 1);

      const line = this.#take(piece, newline !== -1);
      if (line !== undefined) return line;
    }
  }

  #advance(chunk: Buffer, offset: number): void {
    this.#offset = offset;
    if (offset < chunk.length) return;
    this.#offset = 0;
    this.#next += 1;
    if (this.#next < this.#chunks.length) return;
    this.#chunks = [];
    this.#next = 0;
  }

  #take(piece: Buffer, ends: boolean): Line | undefined {
    if (this.#dropping) {
      this.#dropping = !ends;
      return undefined;
    }
    if (this.#held + piece.length > this.#limit) {
      this.#dropping = !ends;
      this.#release();
      return "oversize";
    }
    if (!ends) {
      this.#hold(piece);
      return undefined;
    }
    const line = this.#held === 0 ? piece : this.#joined(piece);
    return isBlank(line) ? undefined : line;
  }

  #hold(piece: Buffer): void {
    const size = this.#held + piece.length;
    if (size > this.#partial.length) {
      const grown = Buffer.allocUnsafe(
        Math.min(Math.max(size, 2 * this.#partial.length), this.#limit),
      );
      this.#partial.copy(grown, 0, 0, this.#held);
      this.#partial = grown;
    }
    piece.copy(this.#partial, this.#held);
    this.#held = size;
  }

  #joined(piece: Buffer): Buffer {
    this.#hold(piece);
    const line = this.#partial.subarray(0, this.#held);
    this.#release();
    return line;
  }

  #release(): void {
    this.#partial = Buffer.alloc(0);
    this.#held = 0;
  }
}

/** JSON's white space, newline aside. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

function isBlank(line: Buffer): boolean {
  return line.every((byte) => BLANKS.has(byte));
}
