import type { CellWidth } from "./width.ts";

/** Cell that nothing was written to; it shows as a space. */
const BLANK = 0x20;
/** Second half of a wide character. */
const CONTINUED = 0x110000;
/** Cell that was written before what is read began; it does not show. */
const OUTSIDE = 0x110001;
/** From here on, cells whose text is in `#clusters`: a character and what joins it. */
const CLUSTERS = 0x110002;

/** A cell holds no more code units than this. What more joins it is left out, so that no stream of marks grows it. */
const MAX_CLUSTER = 32;

const FIRST_CELLS = 128;

/** So many more clusters than cells may be held: those of cells that were written over. */
const SPARE_CLUSTERS = 64;

/**
 * One row of text by cells. While only characters of one cell and one code unit came, each after the last, the row is a
 * string; the first thing else makes cells of it.
 */
export class Row {
  /** The text goes on in the next row. */
  wraps = false;
  /** Nothing of it belongs to what is read. */
  isOutside = false;
  #text = "";
  #cells: Uint32Array | undefined;
  #length = 0;
  #clusters: string[] = [];

  /** Cells up to the last that was written. */
  get length(): number {
    return this.#cells === undefined ? this.#text.length : this.#length;
  }

  /** Writes characters of one cell and one code unit each over what is there. */
  write(column: number, text: string): void {
    this.isOutside = false;
    if (this.#cells === undefined) {
      if (column >= this.#text.length) {
        this.#text = (column > this.#text.length ? this.#text.padEnd(column) : this.#text) + text;
        return;
      }
      if (column === 0 && text.length >= this.#text.length) {
        this.#text = text;
        return;
      }
    }
    const cells = this.#open(column, text.length);
    for (let index = 0; index < text.length; index += 1)
      cells[column + index] = text.charCodeAt(index);
  }

  put(column: number, code: number, width: CellWidth): void {
    this.isOutside = false;
    if (
      this.#cells === undefined &&
      width === 1 &&
      code < 0x10000 &&
      column === this.#text.length
    ) {
      this.#text += String.fromCharCode(code);
      return;
    }
    const cells = this.#open(column, width);
    cells[column] = code;
    if (width === 2) cells[column + 1] = CONTINUED;
  }

  /** Adds what joins the character that ends before the column. Where there is none, it is left out. */
  join(column: number, code: number): void {
    if (column > this.length || column === 0) return;
    const cells = this.#asCells();
    const at = cells[column - 1] === CONTINUED ? column - 2 : column - 1;
    const cell = cells[at];
    if (cell === undefined || cell === OUTSIDE) return;
    const isCluster = cell >= CLUSTERS;
    const before = this.#textOf(at);
    if (before.length >= MAX_CLUSTER) return;
    const number = isCluster ? cell - CLUSTERS : this.#clusters.length;
    cells[at] = CLUSTERS + number;
    this.#clusters[number] = before + String.fromCodePoint(code);
    if (this.#clusters.length > 2 * this.#length + SPARE_CLUSTERS) this.#compact(cells);
  }

  /** Blanks the cells from one column to before another. */
  erase(from: number, to: number): void {
    if (to >= this.length) {
      this.#truncate(from);
    } else if (to > from) {
      this.#open(from, to - from).fill(BLANK, from, to);
    }
  }

  /** Moves what stands from the column on to the right; what passes `limit` is lost. */
  insert(column: number, count: number, limit: number): void {
    if (column >= this.length) return;
    // A wide character goes whole or not at all.
    this.#truncate(Math.max(column, limit - count));
    const length = this.length;
    const cells = this.#asCells(Math.min(length + count, limit));
    const to = Math.min(column + count, limit);
    this.#split(column, cells);
    cells.copyWithin(to, column, length);
    cells.fill(BLANK, column, to);
    this.#length = Math.min(length + count, limit);
  }

  /** Takes cells out; what stands after them moves to the left. */
  remove(column: number, count: number): void {
    if (column >= this.length) return;
    const cells = this.#asCells();
    const from = Math.min(column + count, this.#length);
    this.#split(column, cells);
    this.#split(from, cells);
    cells.copyWithin(column, from, this.#length);
    this.#length -= from - column;
  }

  /** What is there belongs to what came before: it stays in its place and does not show. */
  leaveOut(): void {
    const length = this.length;
    this.#truncate(0);
    this.isOutside = true;
    this.#asCells(length).fill(OUTSIDE, 0, length);
    this.#length = length;
  }

  clear(): void {
    this.#truncate(0);
    this.wraps = false;
    this.isOutside = false;
  }

  toString(): string {
    if (this.#cells === undefined) return this.#text;
    let text = "";
    for (let column = 0; column < this.#length; column += 1) text += this.#textOf(column);
    return text;
  }

  #textOf(column: number): string {
    const cell = this.#cells?.[column] ?? BLANK;
    if (cell < CONTINUED) return String.fromCodePoint(cell);
    return cell >= CLUSTERS ? (this.#clusters[cell - CLUSTERS] ?? "") : "";
  }

  #truncate(length: number): void {
    if (length >= this.length) return;
    if (this.#cells === undefined) {
      this.#text = this.#text.slice(0, length);
    } else if (length === 0) {
      this.#cells = undefined;
      this.#text = "";
      this.#clusters = [];
    } else {
      this.#split(length, this.#cells);
      this.#length = length;
    }
  }

  /** Makes room for writing: no wide character is left half. */
  #open(column: number, count: number): Uint32Array {
    const end = column + count;
    const cells = this.#asCells(end);
    if (column > this.#length) cells.fill(BLANK, this.#length, column);
    else this.#split(column, cells);
    if (end < this.#length) this.#split(end, cells);
    else this.#length = end;
    return cells;
  }

  /** Blanks both halves of a wide character that the column would take apart. */
  #split(column: number, cells: Uint32Array): void {
    if (column >= this.#length || column === 0 || cells[column] !== CONTINUED) return;
    cells[column - 1] = BLANK;
    cells[column] = BLANK;
  }

  #compact(cells: Uint32Array): void {
    const held = this.#clusters;
    this.#clusters = [];
    for (let column = 0; column < this.#length; column += 1) {
      const cell = cells[column] ?? BLANK;
      if (cell < CLUSTERS) continue;
      cells[column] = CLUSTERS + this.#clusters.length;
      this.#clusters.push(held[cell - CLUSTERS] ?? "");
    }
  }

  #asCells(least = 0): Uint32Array {
    const length = this.length;
    const size = Math.max(least, length);
    if (this.#cells !== undefined && size <= this.#cells.length) return this.#cells;
    const cells = new Uint32Array(Math.max(FIRST_CELLS, size, 2 * (this.#cells?.length ?? 0)));
    if (this.#cells !== undefined) cells.set(this.#cells);
    else
      for (let index = 0; index < length; index += 1) cells[index] = this.#text.charCodeAt(index);
    this.#cells = cells;
    this.#length = length;
    this.#text = "";
    return cells;
  }
}
