import { EMPTY, type Row } from "./row.ts";

/** What leads a viewer's terminal from one picture to another, while it is written. Rows are never continued in the next
 * one, and text is plain between them. */
export class Canvas {
  #text = "";
  #main: readonly Row[];
  /** Absent while the main screen shows. */
  #alternate: readonly Row[] | undefined;

  /** `alternate`: absent where the main screen shows. */
  constructor(main: readonly Row[], alternate: readonly Row[] | undefined) {
    this.#main = main;
    this.#alternate = alternate;
  }

  get text(): string {
    return this.#text;
  }

  get main(): readonly Row[] {
    return this.#main;
  }

  /** Lets these lines go by at the top of the main screen, the first of which are on it; `next` are its rows
   * afterwards. */
  scroll(lines: readonly Row[], next: readonly Row[]): void {
    if (lines.length === 0) return;
    this.take(false);
    const height = this.#main.length;
    this.#paint(this.#main.map((row, index) => lines[index] ?? row));
    const rows = [...this.#main.slice(lines.length)];
    this.#text += `\x1b[${height}H`;
    for (let at = height; at < height + lines.length; at += 1) {
      const row = lines[at] ?? next[at - lines.length] ?? EMPTY;
      this.#text += `\r\n${row.bytes}`;
      rows.push(row);
    }
    this.#main = rows.slice(-height);
  }

  /** Takes the alternate screen, which is blank then, or the main one. */
  take(isAlternate: boolean): void {
    if (isAlternate === (this.#alternate !== undefined)) return;
    this.#text += isAlternate ? "\x1b[?1049h\x1b[H\x1b[2J" : "\x1b[?1049l";
    this.#alternate = isAlternate ? this.#main.map(() => EMPTY) : undefined;
  }

  /** Shows these rows on the screen that shows. */
  show(rows: readonly Row[]): void {
    this.#paint(rows);
  }

  #paint(rows: readonly Row[]): void {
    const before = this.#alternate ?? this.#main;
    for (const [index, row] of rows.entries()) {
      if (row.bytes === before[index]?.bytes) continue;
      this.#text += `\x1b[${index + 1}H\x1b[2K${row.bytes}`;
    }
    if (this.#alternate === undefined) this.#main = rows;
    else this.#alternate = rows;
  }
}
