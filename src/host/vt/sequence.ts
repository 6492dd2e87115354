/** How many parameters of a sequence are kept; xterm keeps 30. What follows is left out. */
const MAX_PARAMETERS = 32;

/** A parameter is no larger: nothing that is counted or numbered in a terminal is. */
const MAX_VALUE = 99_999;

/** Parameter that was not written, as the first of `CSI ;5H`. */
const MISSING = -1;

/** The parts of a control sequence (ECMA-48, 5.4) or of the head of a device control string. One object is used again for
 * each sequence, so that none costs an allocation. */
export class Sequence {
  /** The byte `<`, `=`, `>` or `?` in front; 0 for none. */
  prefix = 0;
  /** The byte before the final one, from space to `/`; 0 for none, -1 for several. */
  intermediate = 0;
  final = 0;
  #count = 0;
  #isSub = false;
  readonly #values = new Int32Array(MAX_PARAMETERS);

  clear(): void {
    this.prefix = 0;
    this.intermediate = 0;
    this.final = 0;
    this.#count = 0;
    this.#isSub = false;
  }

  get isEmpty(): boolean {
    return this.#count === 0 && this.prefix === 0 && this.intermediate === 0;
  }

  /** How many parameters were given; one that is missing before a separator counts. */
  get count(): number {
    return Math.min(this.#count, MAX_PARAMETERS);
  }

  /** The parameter, or the fallback where it was not given. */
  value(index: number, fallback: number): number {
    const value = index < this.#count ? this.#values[index] : undefined;
    return value === undefined || value === MISSING ? fallback : value;
  }

  /** How far or how often: 1 where nothing or 0 was given. */
  amount(index = 0): number {
    return Math.max(1, this.value(index, 1));
  }

  /** A byte from `0` to `;`. What follows a colon refines the parameter before it, and is left out. */
  takeParameter(byte: number): void {
    if (this.#count === 0) this.#begin();
    if (byte === 0x3b) {
      this.#begin();
      return;
    }
    if (byte === 0x3a) this.#isSub = true;
    if (this.#isSub || this.#count > MAX_PARAMETERS) return;
    const value = Math.max(0, this.#values[this.#count - 1] ?? 0) * 10 + byte - 0x30;
    this.#values[this.#count - 1] = Math.min(value, MAX_VALUE);
  }

  takeIntermediate(byte: number): void {
    this.intermediate = this.intermediate === 0 ? byte : -1;
  }

  copy(other: Sequence): void {
    this.prefix = other.prefix;
    this.intermediate = other.intermediate;
    this.final = other.final;
    this.#count = other.#count;
    this.#isSub = other.#isSub;
    this.#values.set(other.#values);
  }

  #begin(): void {
    this.#isSub = false;
    if (this.#count <= MAX_PARAMETERS) this.#count += 1;
    if (this.#count <= MAX_PARAMETERS) this.#values[this.#count - 1] = MISSING;
  }
}
