import { crc32 } from "node:zlib";
import type { Shown } from "./looks.ts";

/** How much of what came before a piece is looked at with it, in bytes: longer than any text that is looked for. */
const OVERLAP_BYTES = 128;

/** How long a text is waited for, in milliseconds. Everything that comes at all comes far sooner. */
const PATIENCE_MS = 20_000;

interface Search {
  readonly text: string;
  readonly began: number;
  found(ms: number): void;
}

/** What somebody has been shown, and when a text was in it. */
export class ShownText {
  #bytes = 0;
  #sum = 0;
  #skipped = 0;
  #tail = Buffer.alloc(0);
  #search: Search | undefined;

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#sum = crc32(bytes, this.#sum);
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const seam = Buffer.concat([this.#tail, piece.subarray(0, OVERLAP_BYTES)]);
    this.#tail = Buffer.from(
      piece.length < OVERLAP_BYTES ? seam.subarray(-OVERLAP_BYTES) : piece.subarray(-OVERLAP_BYTES),
    );
    const search = this.#search;
    if (search === undefined) return;
    if (!piece.includes(search.text) && !seam.includes(search.text)) return;
    this.#search = undefined;
    search.found(performance.now() - search.began);
  }

  skip(bytes: number): void {
    this.#skipped += bytes;
  }

  /** Since the last time. */
  take(): Shown {
    const shown = { bytes: this.#bytes, sum: this.#sum, skipped: this.#skipped };
    this.#bytes = 0;
    this.#sum = 0;
    this.#skipped = 0;
    return shown;
  }

  /** Resolves with how long it takes from now until the text is shown, in milliseconds; infinitely after PATIENCE_MS. What
   * was shown before does not count. */
  until(text: string): Promise<number> {
    this.#tail = Buffer.alloc(0);
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => {
        this.#search = undefined;
        resolve(Number.POSITIVE_INFINITY);
      }, PATIENCE_MS);
      const found = (ms: number) => {
        clearTimeout(tooLate);
        resolve(ms);
      };
      this.#search = { text, began: performance.now(), found };
    });
  }
}
