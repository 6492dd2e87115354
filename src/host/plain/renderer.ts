import { VtParser } from "../vt/parser.ts";
import { Interpreter } from "./interpreter.ts";
import { Page } from "./page.ts";

/** Cells of a row where the terminal's width is not known, and at most: what is longer goes on in a next row, which shows
 * as the same line. It bounds what one row costs. */
export const MAX_COLS = 4096;

export interface PlainOptions {
  /** Cells of a row of the terminal, 1 to MAX_COLS. */
  readonly cols?: number;
  /** Code units of text that are kept at least. */
  readonly keep: number;
}

/** Text, and how many code units of it were left out at its start. */
export interface PlainText {
  readonly text: string;
  readonly truncated: number;
}

/**
 * A terminal's output as plain text, as one finally sees it: no escape sequence and no control but the newline is in it;
 * what was written over or erased in a row is gone. A row that the program goes back up to is written over as well, up to
 * OPEN_ROWS above the last, so bars and lists that are redrawn show their last state. A character or sequence that is not
 * whole waits for its rest.
 *
 * Kept as written: spaces at the end of a line, and text that a cleared screen showed. Of rows that are named by number
 * each begins a new line, because which row of the output it is depends on what the screen showed before.
 */
export class PlainRenderer {
  readonly #page: Page;
  readonly #parser: VtParser;

  constructor({ cols = MAX_COLS, keep }: PlainOptions) {
    this.#page = new Page(within(cols), keep);
    this.#parser = new VtParser(new Interpreter(this.#page));
  }

  /** Code units of the text that can change no more, since the beginning. */
  get finished(): number {
    return this.#page.finished.total;
  }

  /** The terminal has another width from here on. */
  resize(cols: number): void {
    this.#page.cols = within(cols);
  }

  feed(bytes: Uint8Array): void {
    this.#parser.parse(bytes);
  }

  /** Goes on in the middle of the sequence or character that the parser has open. Where something was fed before, what
   * lies between the two is missing: a new line begins. */
  resume(parser: VtParser): void {
    this.#page.freshLine();
    this.#parser.resume(parser);
  }

  /** What was fed so far was only to know where the text begins: in which column, and inside of which sequence or
   * character. One that is open belongs to the text. */
  begin(): void {
    this.#page.begin();
  }

  /** The last `limit` code units, or one fewer where that would cut a character in two. No more than `keep` are there. */
  text(limit: number): PlainText {
    const { finished, open } = this.#page;
    const total = finished.total + open.length;
    const wanted = Math.max(0, limit - open.length);
    const all = finished.since(finished.total - wanted) + open;
    const text = withoutHalf(limit < all.length ? all.slice(all.length - limit) : all);
    return { text, truncated: total - text.length };
  }

  /** Finished text after its first `position` code units, and what follows it and may still change. */
  since(position: number): { readonly finished: string; readonly open: string } {
    return { finished: this.#page.finished.since(position), open: this.#page.open };
  }
}

function within(cols: number): number {
  return Math.max(1, Math.min(Math.floor(cols), MAX_COLS));
}

/** A text that was cut may begin with the second half of a character. */
function withoutHalf(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
