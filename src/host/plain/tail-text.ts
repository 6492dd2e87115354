/** How many pieces are gathered before they become one string. */
const GATHERED_PIECES = 256;

/** How long one string grows, in code units: what is dropped is dropped in such steps. */
const CHUNK_LENGTH = 16 * 1024;

/** The end of a text that only grows. It keeps the last `keep` code units, and some more. */
export class TailText {
  readonly #keep: number;
  #chunks: string[] = [];
  #held = 0;
  #pieces: string[] = [];
  #gathered = 0;
  #total = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Code units since the beginning, whether they are still there or not. */
  get total(): number {
    return this.#total;
  }

  /** As if nothing had come. */
  clear(): void {
    this.#chunks = [];
    this.#pieces = [];
    this.#held = 0;
    this.#gathered = 0;
    this.#total = 0;
  }

  append(text: string): void {
    this.#total += text.length;
    this.#pieces.push(text);
    this.#gathered += text.length;
    if (this.#pieces.length >= GATHERED_PIECES || this.#gathered >= CHUNK_LENGTH) this.#gather();
  }

  /** What came after the first `position` code units, as far as it is kept. */
  since(position: number): string {
    this.#gather();
    const wanted = Math.min(this.#total - position, this.#held);
    let first = this.#chunks.length;
    let length = 0;
    while (length < wanted && first > 0) {
      first -= 1;
      length += this.#chunks[first]?.length ?? 0;
    }
    return this.#chunks
      .slice(first)
      .join("")
      .slice(length - wanted);
  }

  #gather(): void {
    if (this.#pieces.length === 0) return;
    this.#chunks.push(this.#pieces.join(""));
    this.#held += this.#gathered;
    this.#pieces = [];
    this.#gathered = 0;
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#held - first.length < this.#keep) return;
      this.#held -= first.length;
      this.#chunks.shift();
    }
  }
}
