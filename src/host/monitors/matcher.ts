/** Looks for something in bytes that come in pieces. What it holds does not grow with them. */
export interface Matcher {
  /** Takes the next bytes. Answers how many of them it took until the match was complete, -1 where it is not. */
  feed(bytes: Uint8Array): number;
  /** Bytes are left out here: what has begun to match does not go on. */
  interrupt(): void;
  /** What it holds. */
  save(): number[];
  /** Goes on from where another one of the same pattern was. Throws a RangeError where none can have been. */
  restore(saved: readonly number[]): void;
}

export function cannotBe(saved: readonly number[]): never {
  throw new RangeError(`No matcher of this pattern holds ${saved.slice(0, 16).join(" ")}`);
}
