import type { Matcher } from "./matcher.ts";

/** Finds a text by the automaton of Knuth, Morris and Pratt: every byte is looked at once, however the output is cut. */
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
    const pattern = this.#pattern;
    const first = pattern[0] ?? 0;
    let matched = this.#matched;
    for (let at = 0; at < bytes.length; at += 1) {
      if (matched === 0) {
        // Most output has nothing of the pattern in it; the runtime finds a byte far faster than a loop does.
        at = bytes.indexOf(first, at);
        if (at < 0) break;
      }
      const byte = bytes[at];
      while (matched > 0 && pattern[matched] !== byte) matched = this.#borders[matched - 1] ?? 0;
      if (pattern[matched] === byte) matched += 1;
      if (matched === pattern.length) {
        this.#matched = 0;
        return at + 1;
      }
    }
    this.#matched = matched;
    return -1;
  }

  interrupt(): void {
    this.#matched = 0;
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
