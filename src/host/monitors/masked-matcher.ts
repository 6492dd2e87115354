import { cannotBe, type Matcher } from "./matcher.ts";

const QUESTION = 0x3f;

/** Finds a text in which `?` stands for any one character: each bit of the state says that the output ends with so much
 * of the pattern. A byte costs as many steps as there are words of 32 bits up to the last that has one. */
export class MaskedMatcher implements Matcher {
  readonly #words: number;
  /** Which places of the pattern a byte fits, 256 times so many words. */
  readonly #fits: Uint32Array;
  /** Which places stand for any character: those that go on with a character's further bytes. */
  readonly #any: Uint32Array;
  readonly #state: Uint32Array;
  readonly #last: number;
  /** The byte that every match begins with. Absent where that may be any. */
  readonly #first: number | undefined;
  /** How many words of the state are in use. The others are 0. */
  #used = 0;

  /** `pattern` must not be empty. */
  constructor(pattern: Uint8Array) {
    this.#words = Math.ceil(pattern.length / 32);
    this.#fits = new Uint32Array(256 * this.#words);
    this.#any = new Uint32Array(this.#words);
    this.#state = new Uint32Array(this.#words);
    this.#last = pattern.length - 1;
    this.#first = pattern[0] === QUESTION ? undefined : pattern[0];
    pattern.forEach((byte, at) => {
      if (byte !== QUESTION) this.#fit(byte, at);
      else {
        this.#set(this.#any, 0, at);
        for (let other = 0; other < 256; other += 1) if (!isFurther(other)) this.#fit(other, at);
      }
    });
  }

  feed(bytes: Uint8Array): number {
    const lastWord = this.#last >>> 5;
    const lastBit = 1 << (this.#last & 31);
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#used === 0 && this.#first !== undefined) {
        at = bytes.indexOf(this.#first, at);
        if (at < 0) return -1;
      }
      this.#step(bytes[at] ?? 0);
      if (this.#used > lastWord && ((this.#state[lastWord] ?? 0) & lastBit) !== 0) {
        this.interrupt();
        return at + 1;
      }
    }
    return -1;
  }

  interrupt(): void {
    this.#state.fill(0);
    this.#used = 0;
  }

  save(): number[] {
    return [...this.#state];
  }

  restore(saved: readonly number[]): void {
    if (saved.length !== this.#words) cannotBe(saved);
    this.#state.set(saved);
    this.#used = saved.findLastIndex((word) => word !== 0) + 1;
  }

  #step(byte: number): void {
    const state = this.#state;
    const words = this.#words;
    const further = isFurther(byte);
    // The first one that is not in use may be given a bit by the one before.
    const end = Math.min(words, this.#used + 1);
    let carry = 1;
    let used = 0;
    for (let word = 0; word < end; word += 1) {
      const old = state[word] ?? 0;
      const stays = further ? old & (this.#any[word] ?? 0) : 0;
      const now = (((old << 1) | carry) & (this.#fits[byte * words + word] ?? 0)) | stays;
      state[word] = now;
      carry = old >>> 31;
      if (now !== 0) used = word + 1;
    }
    this.#used = used;
  }

  #fit(byte: number, at: number): void {
    this.#set(this.#fits, byte * this.#words, at);
  }

  #set(bits: Uint32Array, from: number, at: number): void {
    const word = from + (at >>> 5);
    bits[word] = (bits[word] ?? 0) | (1 << (at & 31));
  }
}

/** Whether a byte of UTF-8 goes on with a character that an earlier one began. */
function isFurther(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
