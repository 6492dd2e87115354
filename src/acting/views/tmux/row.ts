import { cellWidth } from "../../../host/plain/width.ts";
import { PLAIN, type Style } from "./style.ts";

/** One row of a pane, for a terminal that is at the first column of an empty row and writes plain text. It leaves the
 * terminal with plain text. */
export interface Row {
  readonly bytes: string;
  /** How many columns it takes. */
  readonly width: number;
  /** What its last character is, for a terminal that is there, and how many columns that takes. Absent where terminals
   * differ about it. */
  readonly last?: { readonly bytes: string; readonly width: number };
}

export const EMPTY: Row = { bytes: "", width: 0 };

const ZERO_WIDTH_JOINER = "\u200d";

/** Of those that are not written as agreed, what has had one width for ever. */
const AGREED: readonly (readonly [from: number, to: number])[] = [
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x2010, 0x2027],
  [0x3000, 0x3029],
  [0xff01, 0xff9f],
];

/** Marks that every terminal puts on the character before them. */
const isMark = (code: number) => code >= 0x300 && code <= 0x36f;

const isAgreed = (code: number) => AGREED.some(([from, to]) => code >= from && code <= to);

interface Cell {
  readonly text: string;
  readonly style: Style;
  readonly link: string;
  /** Whether terminals agree about how many columns it takes. */
  readonly isAgreed: boolean;
}

const NO_CELL: Cell = { text: "", style: PLAIN, link: "", isAgreed: true };

/** Writes a row from the left. A cell about whose width terminals differ is followed by the column that is next in tmux, and
 * what a terminal may have put beyond that is erased. */
export class RowWriter {
  readonly #cols: number;
  #bytes = "";
  #width = 0;
  #style = PLAIN;
  #link = "";
  /** How many blanks there are at the end that nobody sees unless something follows. */
  #blanks = 0;
  #cell = NO_CELL;
  #isJoining = false;

  constructor(cols: number) {
    this.#cols = cols;
  }

  /** Characters of so many columns each, about which terminals agree; each is one UTF-16 unit. */
  writeAgreed(text: string, width: 1 | 2, style: Style, link: string): void {
    if (this.#isJoining) {
      // Only the first of them joins.
      this.write(text.charAt(0), style, link);
      if (text.length === 1) return;
      this.writeAgreed(text.slice(1), width, style, link);
      return;
    }
    this.#endCell();
    this.#width += width * text.length;
    const isUnseen = link === "" && style.isPlain;
    const seen = isUnseen ? text.trimEnd() : text;
    this.#append(seen, style, link);
    if (isUnseen) this.#blanks += text.length - seen.length;
    this.#cell = { text: text.slice(-1), style, link, isAgreed: true };
  }

  write(character: string, style: Style, link: string): void {
    const code = character.codePointAt(0) ?? 0;
    const joins = this.#isJoining || cellWidth(code) === 0;
    // A mark has to have something that it is put on.
    if (joins && this.#width === 0) return;
    this.#isJoining = character === ZERO_WIDTH_JOINER;
    if (joins) {
      this.#append(character, style, link);
      this.#cell = {
        ...this.#cell,
        text: this.#cell.text + character,
        isAgreed: this.#cell.isAgreed && isMark(code),
      };
      return;
    }
    this.#endCell();
    this.#width += cellWidth(code);
    this.#append(character, style, link);
    this.#cell = { text: character, style, link, isAgreed: isAgreed(code) };
  }

  end(): Row {
    const { text, style, link } = this.#cell;
    const width = cellWidth(text.codePointAt(0) ?? 0);
    const isKnown = this.#cell.isAgreed && text !== "";
    const last = isKnown ? { last: { bytes: writtenIn(text, style, link), width } } : {};
    if (this.#width < this.#cols) this.#endCell();
    this.#use(PLAIN, "");
    // tmux keeps a wide character whose second column was written over, so that the row is wider than it should be.
    if (this.#width > this.#cols) this.#bytes += " ".repeat(this.#blanks);
    return { bytes: this.#bytes, width: this.#width, ...last };
  }

  #append(text: string, style: Style, link: string): void {
    if (text === "") return;
    if (this.#blanks > 0) {
      this.#use(PLAIN, "");
      this.#bytes += " ".repeat(this.#blanks);
      this.#blanks = 0;
    }
    this.#use(style, link);
    this.#bytes += text;
  }

  #endCell(): void {
    if (this.#cell.isAgreed) return;
    this.#cell = NO_CELL;
    this.#use(PLAIN, "");
    this.#bytes += `\x1b[${this.#width + 1}G\x1b[K`;
  }

  #use(style: Style, link: string): void {
    if (link !== this.#link) this.#bytes += linkTo(link);
    if (style.bytes !== this.#style.bytes) this.#bytes += style.bytes;
    this.#style = style;
    this.#link = link;
  }
}

/** `link` is the sequence's parameters and address; empty: none. */
const linkTo = (link: string): string => `\x1b]8;${link === "" ? ";" : link}\x1b\\`;

function writtenIn(text: string, style: Style, link: string): string {
  const linked = link === "" ? text : linkTo(link) + text + linkTo("");
  return style.bytes === PLAIN.bytes ? linked : style.bytes + linked + PLAIN.bytes;
}
