import { cannotBe, type Matcher } from "./matcher.ts";

/** Finds a text by the automaton of Knuth, Morris and Pratt where pieces of output meet, and by the runtime's own search
 * within them, which is far faster: most output has nothing of the pattern in it. */
export class LiteralMatcher implements Matcher {
  readonly #pattern: Uint8Array;
  /** How much of the pattern is still matched where one byte more than the index is not. */
  readonly #borders: Uint16Array;
  /** How much of the pattern the output ends with. */
  #matched = 0;

  /** `pattern` must not be empty. */
  constructor(pattern: Uint8Array) {
    this.#pattern = pattern;
    this.#borders = bordersOf(pattern);
  }

  feed(bytes: Uint8Array): number {
    let at = 0;
    while (this.#matched > 0 && at < bytes.length) {
      this.#step(bytes[at]);
      at += 1;
      if (this.#isComplete()) return at;
    }
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = at < bytes.length ? whole.indexOf(this.#pattern, at) : -1;
    if (found >= 0) return found + this.#pattern.length;
    // Nothing that begins earlier is unfinished here.
    at = Math.max(at, bytes.length - this.#pattern.length + 1);
    for (; at < bytes.length; at += 1) this.#step(bytes[at]);
    return -1;
  }

  interrupt(): void {
    this.#matched = 0;
  }

  save(): number[] {
    return [this.#matched];
  }

  restore(saved: readonly number[]): void {
    const [matched = -1] = saved;
    if (matched < 0 || matched >= this.#pattern.length) cannotBe(saved);
    this.#matched = matched;
  }

  #step(byte: number | undefined): void {
    let matched = this.#matched;
    while (matched > 0 && this.#pattern[matched] !== byte) {
      matched = this.#borders[matched - 1] ?? 0;
    }
    this.#matched = this.#pattern[matched] === byte ? matched + 1 : matched;
  }

  #isComplete(): boolean {
    if (this.#matched < this.#pattern.length) return false;
    this.#matched = 0;
    return true;
  }
}

function bordersOf(pattern: Uint8Array): Uint16Array {
  const borders = new Uint16Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
