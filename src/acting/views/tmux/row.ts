import { cellWidth } from "../../../host/plain/width.ts";
import { isPlain, PLAIN, type Style, sgr } from "./style.ts";

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
const SOFT_HYPHEN = 0xad;

/** Latin, Greek and Cyrillic, lines and blocks, and the ideographs have had one width for ever. */
const AGREED: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x2010, 0x2027],
  [0x2500, 0x259f],
  [0x3000, 0x3029],
  [0x3041, 0x3096],
  [0x30a1, 0x30ff],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0xff01, 0xff60],
];

const isAgreed = (code: number) =>
  code !== SOFT_HYPHEN && AGREED.some(([from, to]) => code >= from && code <= to);

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

  /** Characters of ASCII. */
  writeAscii(text: string, style: Style, link: string): void {
    this.#endCell();
    this.#isJoining = false;
    this.#width += text.length;
    const isUnseen = link === "" && isPlain(style);
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
      this.#cell = { ...this.#cell, text: this.#cell.text + character, isAgreed: false };
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
    if (style !== this.#style) {
      const wanted = sgr(style);
      if (wanted !== sgr(this.#style)) this.#bytes += wanted;
    }
    this.#style = style;
    this.#link = link;
  }
}

/** `link` is the sequence's parameters and address; empty: none. */
const linkTo = (link: string): string => `\x1b]8;${link === "" ? ";" : link}\x1b\\`;

function writtenIn(text: string, style: Style, link: string): string {
  const linked = link === "" ? text : linkTo(link) + text + linkTo("");
  const wanted = sgr(style);
  return wanted === sgr(PLAIN) ? linked : wanted + linked + sgr(PLAIN);
}
