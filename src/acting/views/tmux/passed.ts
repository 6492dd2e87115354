import type { Row } from "./row.ts";

/** How many of the lines that went into a pane's history are kept for those who look at it, and how much of them, in
 * UTF-16 units. */
export const KEPT_LINES = 500;
const KEPT_UNITS = 512 * 1024;

/** The last lines that went into a pane's history, by how many went before them. */
export class PassedLines {
  #lines: Row[] = [];
  #units = 0;
  /** How many have gone by, those that were missed among them. */
  #end = 0;

  get end(): number {
    return this.#end;
  }

  /** How many went before the first that is kept. */
  get start(): number {
    return this.#end - this.#lines.length;
  }

  add(lines: readonly Row[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#units += line.bytes.length;
    }
    this.#end += lines.length;
    let lost = Math.max(0, this.#lines.length - KEPT_LINES);
    let units = this.#lines.slice(0, lost).reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (; this.#units - units > KEPT_UNITS && lost < this.#lines.length; lost += 1) {
      units += this.#lines[lost]?.bytes.length ?? 0;
    }
    this.#lines = lost === 0 ? this.#lines : this.#lines.slice(lost);
    this.#units -= units;
  }

  /** Lines went by that nobody saw. */
  miss(count: number): void {
    this.#end += count;
    this.#lines = [];
    this.#units = 0;
  }

  /** Those that came after so many others, as far as they are kept. */
  since(count: number): readonly Row[] {
    return this.#lines.slice(Math.max(0, count - this.start));
  }

  /** The last of them. */
  last(count: number): readonly Row[] {
    return count <= 0 ? [] : this.#lines.slice(-count);
  }
}
