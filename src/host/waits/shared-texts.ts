import { FollowingText } from "../plain/following-text.ts";
import type { RecordedOutput } from "../plain/recorded.ts";
import type { FollowedTexts } from "./source.ts";

/** Code units of text that waits a test behind can still look at: as many as a ring of 1 MiB has bytes. */
const KEPT_TEXT = 1024 * 1024;

interface Shared {
  readonly text: FollowingText;
  users: number;
}

/** The texts of one terminal that waits look at, each rendered once. */
export class SharedTexts implements FollowedTexts {
  readonly #output: RecordedOutput;
  readonly #byStart = new Map<number, Shared>();

  constructor(output: RecordedOutput) {
    this.#output = output;
  }

  take(from: number): FollowingText {
    const { ring } = this.#output;
    // What is skipped and what is yet to come is not there for either.
    const start = Math.max(ring.start, Math.min(from, ring.end));
    let shared = this.#byStart.get(start);
    if (shared === undefined) {
      shared = { text: new FollowingText(this.#output, start, KEPT_TEXT), users: 0 };
      this.#byStart.set(start, shared);
    }
    shared.users += 1;
    return shared.text;
  }

  giveBack(text: FollowingText): void {
    for (const [start, shared] of this.#byStart) {
      if (shared.text !== text) continue;
      shared.users -= 1;
      if (shared.users === 0) this.#byStart.delete(start);
    }
  }
}
