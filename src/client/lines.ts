import { MAX_FRAME_BYTES } from "../contract/envelope.ts";

/** Puts lines together from text that came cut anywhere. A line over MAX_FRAME_BYTES is dropped up to its
 * newline and told once, so that it never takes more memory than a legal one. */
export class Lines {
  #rest = "";
  #dropping = false;
  readonly #line: (line: string) => void;
  readonly #oversized: () => void;

  constructor(line: (line: string) => void, oversized: () => void) {
    this.#line = line;
    this.#oversized = oversized;
  }

  push(chunk: string): void {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      this.#take(chunk.slice(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#take(chunk.slice(from));
  }

  #take(text: string): void {
    if (this.#dropping) return;
    // A UTF-16 unit is at least one byte, so this bounds what is kept; bytes are counted at the newline.
    if (this.#rest.length + text.length > MAX_FRAME_BYTES) this.#drop();
    else this.#rest += text;
  }

  #drop(): void {
    this.#rest = "";
    this.#dropping = true;
    this.#oversized();
  }

  #finish(): void {
    const line = this.#rest;
    const dropped = this.#dropping;
    this.#rest = "";
    this.#dropping = false;
    if (dropped || line.trim() === "") return;
    if (isOversized(line)) this.#oversized();
    else this.#line(line);
  }
}

/** The most bytes that UTF-8 needs for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

function isOversized(line: string): boolean {
  if (line.length * BYTES_PER_UNIT <= MAX_FRAME_BYTES) return false;
  return new TextEncoder().encode(line).length > MAX_FRAME_BYTES;
}
