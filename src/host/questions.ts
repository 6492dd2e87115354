import type { Question } from "./vt/queries.ts";

/** How many questions are remembered: a program that asks more at once has the same ones in mind. */
const REMEMBERED = 64;

/** What a terminal's program has asked of late, and up to where its output was when it did. */
export class Questions {
  /** The oldest first. */
  #asked: { readonly by: number; readonly question: Question }[] = [];

  /** `by`: an offset of the output before which the question stands. They must not fall. */
  note(by: number, question: Question): void {
    this.#asked.push({ by, question });
    if (this.#asked.length >= 2 * REMEMBERED) this.#asked = this.#asked.slice(-REMEMBERED);
  }

  /** Those that somebody has been asked who was sent the output from one offset up to another. */
  between(from: number, to: number): Question[] {
    // Most output asks nothing.
    if ((this.#asked.at(-1)?.by ?? 0) <= from) return [];
    return this.#asked.filter(({ by }) => by > from && by <= to).map(({ question }) => question);
  }
}
