import { Row } from "./row.ts";
import { TailText } from "./tail-text.ts";
import { cellWidth } from "./width.ts";

/** How many rows a program may go back up to write over. More than that are on few screens, and what a program redraws in
 * place (bars, lists, spinners) is much lower. */
export const OPEN_ROWS = 100;

const TAB_CELLS = 8;

/**
 * Text as it is finally seen: rows that are still open to be written over, and before them those that are finished. A row
 * is as wide as the terminal; one that is full goes on in the next, and the two are one line of text.
 */
export class Page {
  /** Of rows that are finished. */
  readonly finished: TailText;
  /** Whether a full row goes on in the next (DECAWM). */
  isWrapping = true;
  #cols: number;
  #rows = [new Row()];
  #y = 0;
  /** Equal to the width where the row is full and the next character goes to the next one. */
  #x = 0;
  #spare: Row | undefined;
  #saved: { readonly row: Row; readonly x: number } | undefined;
  /** The row of the screen that the cursor was sent to by number, as long as it is known to be there. */
  #numbered: number | undefined;

  /** `cols`: cells of a row. `keep`: code units of finished text. */
  constructor(cols: number, keep: number) {
    this.#cols = cols;
    this.finished = new TailText(keep);
  }

  /** Text of the rows that may still change. */
  get open(): string {
    let text = "";
    const last = this.#rows.findLastIndex((row) => !row.isOutside);
    for (const [index, row] of this.#rows.entries()) text += textOf(row, index === last);
    return text;
  }

  get cols(): number {
    return this.#cols;
  }

  /** Rows that are there keep their cells. */
  set cols(cols: number) {
    this.#cols = cols;
    this.#x = Math.min(this.#x, cols);
  }

  /** From here on counts what is read. The cursor stays where it is; what was written before does not show, and shows
   * nothing of itself but where it is written over. */
  begin(): void {
    for (const row of this.#rows) row.leaveOut();
    this.#row.isOutside = false;
    this.finished.clear();
  }

  /** Characters of one cell and one code unit each. */
  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      this.#makeRoom(1);
      const end = Math.min(text.length, at + this.#cols - this.#x);
      this.#row.write(this.#x, at === 0 && end === text.length ? text : text.slice(at, end));
      this.#x += end - at;
      at = end;
    }
  }

  put(code: number): void {
    const width = cellWidth(code);
    if (width === 0) {
      this.#row.join(this.#x, code);
      return;
    }
    this.#makeRoom(width);
    this.#row.put(this.#x, code, width);
    this.#x = Math.min(this.#x + width, this.#cols);
  }

  left(count: number): void {
    this.column(Math.min(this.#x, this.#cols - 1) - count);
  }

  right(count: number): void {
    this.column(this.#x + count);
  }

  /** Columns count from 0. */
  column(column: number): void {
    this.#x = Math.max(0, Math.min(column, this.#cols - 1));
  }

  tab(count: number): void {
    this.column((Math.floor(this.#x / TAB_CELLS) + count) * TAB_CELLS);
  }

  backTab(count: number): void {
    this.column((Math.ceil(this.#x / TAB_CELLS) - count) * TAB_CELLS);
  }

  /** The next row from its beginning: what comes without a carriage return is meant as the same. */
  lineFeed(): void {
    const numbered = this.#numbered;
    this.#next();
    this.#x = 0;
    this.#numbered = numbered === undefined ? undefined : numbered + 1;
  }

  up(count: number): void {
    this.#numbered = undefined;
    this.#y = Math.max(0, this.#y - count);
  }

  /** Past the last row there is one more, so that what is written there does not run into it. */
  down(count: number): void {
    this.#numbered = undefined;
    const last = this.#rows.length - 1;
    const isPast = this.#y + count > last && (this.#rows[last]?.length ?? 0) > 0;
    this.#y = Math.min(this.#y + count, last);
    if (isPast) this.#next();
  }

  /** To a row of the screen by its number. Which of the rows that is cannot be known from the output alone: unless it is
   * the one where the cursor is, what is written there begins a new line. */
  toRow(row: number, column: number): void {
    if (row !== this.#numbered) this.freshLine();
    this.#numbered = row;
    this.column(column);
  }

  /** Ends all rows: nothing that comes can write over them. */
  freshLine(): void {
    const last = this.#rows.pop();
    for (const row of this.#rows) this.#finish(row);
    if (last !== undefined && last.toString() !== "") this.#finish(last);
    this.#rows = [this.#fresh()];
    this.#y = 0;
    this.#x = 0;
    this.#saved = undefined;
    this.#numbered = undefined;
  }

  eraseRight(): void {
    this.#row.erase(this.at, this.#cols);
    this.#row.wraps = false;
  }

  eraseLeft(): void {
    this.#row.erase(0, this.at + 1);
  }

  eraseLine(): void {
    this.#row.erase(0, this.#cols);
    this.#row.wraps = false;
  }

  eraseCells(count: number): void {
    this.#row.erase(this.at, Math.min(this.at + count, this.#cols));
  }

  eraseBelow(): void {
    this.eraseRight();
    this.#rows.splice(this.#y + 1);
  }

  insertCells(count: number): void {
    this.#row.insert(this.at, Math.min(count, this.#cols), this.#cols);
  }

  removeCells(count: number): void {
    this.#row.remove(this.at, count);
  }

  save(): void {
    this.#saved = { row: this.#row, x: this.#x };
  }

  /** Does nothing where the row has been finished meanwhile. */
  restore(): void {
    const y = this.#saved === undefined ? -1 : this.#rows.indexOf(this.#saved.row);
    if (this.#saved === undefined || y < 0) return;
    this.#numbered = undefined;
    this.#y = y;
    this.#x = Math.min(this.#saved.x, this.#cols);
  }

  get #row(): Row {
    const row = this.#rows[this.#y];
    if (row === undefined) throw new Error(`A page must have its row ${this.#y}`);
    return row;
  }

  /** The column of the cell that the cursor is on, also when the row is full. */
  get at(): number {
    return Math.min(this.#x, this.#cols - 1);
  }

  #makeRoom(width: number): void {
    if (this.#x + width <= this.#cols) return;
    if (!this.isWrapping || width > this.#cols) {
      this.#x = Math.max(0, this.#cols - width);
      return;
    }
    this.#row.wraps = true;
    this.#next();
    this.#x = 0;
  }

  #next(): void {
    this.#numbered = undefined;
    this.#y += 1;
    if (this.#y < this.#rows.length) return;
    this.#rows.push(this.#fresh());
    if (this.#rows.length <= OPEN_ROWS) return;
    const first = this.#rows.shift();
    this.#y -= 1;
    if (first === undefined) return;
    this.#finish(first);
    if (first === this.#saved?.row) this.#saved = undefined;
    first.clear();
    this.#spare = first;
  }

  #fresh(): Row {
    const row = this.#spare ?? new Row();
    this.#spare = undefined;
    return row;
  }

  #finish(row: Row): void {
    const text = textOf(row, false);
    if (text !== "") this.finished.append(text);
  }
}

/** A row that does not go on in the next one ends its line, unless nothing comes after it yet. */
function textOf(row: Row, isLast: boolean): string {
  if (row.isOutside) return "";
  return isLast || row.wraps ? row.toString() : `${row.toString()}\n`;
}
