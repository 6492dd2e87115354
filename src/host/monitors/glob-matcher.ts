import { LiteralMatcher } from "./literal-matcher.ts";
import { MaskedMatcher } from "./masked-matcher.ts";
import { cannotBe, type Matcher } from "./matcher.ts";

/** Finds a glob anywhere in the output. What lies between its `*` is looked for one part after the other, each where it
 * comes first: whatever a later place allows, the first one does too. A glob of `*` alone is met by any byte. */
export class GlobMatcher implements Matcher {
  readonly #parts: readonly Matcher[];
  #found = 0;

  constructor(pattern: string) {
    this.#parts = pattern
      .split("*")
      .filter((part) => part !== "")
      .map((part) => matcherOf(part));
  }

  feed(bytes: Uint8Array): number {
    if (this.#parts.length === 0) return bytes.length > 0 ? 1 : -1;
    let at = 0;
    for (let part = this.#parts[this.#found]; part; part = this.#parts[this.#found]) {
      const taken = part.feed(bytes.subarray(at));
      if (taken < 0) return -1;
      at += taken;
      this.#found += 1;
    }
    this.#found = 0;
    return at;
  }

  /** Parts that were found stay so: a `*` stands for what was left out, too. */
  interrupt(): void {
    this.#parts[this.#found]?.interrupt();
  }

  /** The parts that were found hold nothing, and those that come later have been given nothing. */
  save(): number[] {
    return [this.#found, ...(this.#parts[this.#found]?.save() ?? [])];
  }

  restore([found = -1, ...part]: readonly number[]): void {
    if (found < 0 || found > Math.max(0, this.#parts.length - 1)) cannotBe([found]);
    this.#found = found;
    this.#parts[found]?.restore(part);
  }
}

function matcherOf(part: string): Matcher {
  const bytes = Buffer.from(part);
  return part.includes("?") ? new MaskedMatcher(bytes) : new LiteralMatcher(bytes);
}
