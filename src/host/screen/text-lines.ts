import { hasText, textAt, widthAt } from "./cells.ts";
import type { Buffer, Line } from "./internals.ts";
import type { Links } from "./links.ts";
import { Pen, styleAt } from "./pen.ts";
import { PLAIN, type Style, VISIBLE_ON_BLANKS } from "./style.ts";

export interface TextOptions {
  /** How wide the screen is. Rows are longer where the alternate screen was wider once. */
  readonly cols: number;
  /** Whether colours and attributes are kept, as SGR sequences; each line begins and ends without any. */
  readonly escapes: boolean;
  /** Whether rows that the width broke are one line. */
  readonly joinWrapped: boolean;
  /** Given to keep links too, as OSC 8. */
  readonly links?: Links;
}

/** Rows of a buffer, counted from the oldest one kept, as lines of text without blanks at their ends. */
export function textLines(
  { lines }: Buffer,
  first: number,
  end: number,
  { cols, escapes, joinWrapped, links }: TextOptions,
): string[] {
  const found: string[] = [];
  let isOpen = false;
  let pen = new Pen(links);
  for (let row = first; row < end; row += 1) {
    const line = lines.get(row);
    if (!line) continue;
    const next = row + 1 < end ? lines.get(row + 1) : undefined;
    const continues = joinWrapped && next?.isWrapped === true;
    const length = continues ? wrappedLength(line, next, cols) : visibleLength(line, cols, escapes);
    if (!isOpen) pen = new Pen(links);
    writeCells(pen, line, length, escapes);
    isOpen = continues;
    if (isOpen) continue;
    pen.use(PLAIN);
    found.push(pen.text());
  }
  return found;
}

function writeCells(pen: Pen, line: Line, length: number, escapes: boolean): void {
  for (let column = 0; column < length; column += widthAt(line, column) || 1) {
    if (escapes) pen.use(shown(styleAt(line, column)));
    // The second half of a wide character has no text and is passed over with the first.
    pen.write(textAt(line, column) || " ");
  }
}

/** Whether text may be erased is no matter of how it looks, and its sequence is no SGR. */
const shown = (style: Style): Style =>
  style.isProtected ? { ...style, isProtected: false } : style;

/** A row that goes on in the next is as long as the screen is wide, but where a wide character found no room in its
 * last column. */
export function wrappedLength(line: Line, next: Line, cols: number): number {
  const last = cols - 1;
  const isPushed = !hasText(line, last) && widthAt(line, last) === 1 && widthAt(next, 0) === 2;
  return isPushed ? last : cols;
}

function visibleLength(line: Line, cols: number, escapes: boolean): number {
  let length = cols;
  while (length > 0) {
    const text = textAt(line, length - 1);
    const isHalf = text === "" && widthAt(line, length - 1) === 0 && length > 1;
    if (isHalf ? hasText(line, length - 2) : text !== "" && text !== " ") break;
    if (escapes && isVisibleBlank(line, length - 1)) break;
    length -= 1;
  }
  return length;
}

function isVisibleBlank(line: Line, column: number): boolean {
  const style = styleAt(line, column);
  return style.background !== 0 || style.underline !== 0 || (style.flags & VISIBLE_ON_BLANKS) !== 0;
}
