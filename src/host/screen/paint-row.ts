import { backgroundAt, codeAt, foregroundAt, hasText, textAt, widthAt } from "./cells.ts";
import type { Line } from "./internals.ts";
import { type Pen, styleAt } from "./pen.ts";
import { PLAIN, type Style } from "./style.ts";

/** Flags of the background number; erased cells have none. */
const GROUND_FLAGS = 0xfc000000;
/** A character of two columns, for every terminal. */
const WIDE = "\u3000";

/** What is known of characters by their code points. */
export interface Widths {
  /** Whether it takes no column and joins the character before it. */
  isMark(code: number): boolean;
  /** Whether terminals differ about how many columns it takes. */
  isDisputed(code: number): boolean;
}

/** Paints the first columns of a row, which is longer where the alternate screen was wider once, into one that is
 * blank, with the cursor in its first column; it ends wherever the last thing was painted. */
export function paintRow(pen: Pen, line: Line, cols: number, widths: Widths): void {
  const last = cols - 1;
  let at = 0;
  const go = (column: number) => {
    if (at !== column) pen.write(`\x1b[${column + 1}G`);
    at = column;
  };
  if (isOdd(line, last)) {
    lastErasedWithStyle(pen, styleAt(line, last), last);
    at = -1;
  }
  let column = 0;
  while (column <= last) {
    const kind = kindAt(line, column, cols, widths);
    if (kind === "blank") {
      column += 1;
    } else if (kind === "ground") {
      const end = sameGround(line, column, cols);
      go(column);
      pen.use(groundOf(line, column));
      pen.write(`\x1b[${end - column}X`);
      column = end;
    } else if (kind === "odd") {
      if (column + 1 === last && isOdd(line, last)) {
        // There is no way to have two of them at the end; a blank looks the same.
        go(column);
        pen.use(styleAt(line, column));
        pen.write(" ");
        at = last;
      } else if (column < last) {
        // Half a wide character that is written over leaves its other half erased in the style of that time.
        go(column);
        pen.use(styleAt(line, column));
        pen.write(`${WIDE}\x1b[${column + 2}G `);
        // What was put there to write over has to go where nothing follows that does.
        pen.use(PLAIN);
        pen.write(`\x1b[${column + 2}G\x1b[X`);
        at = column + 1;
      }
      column += 1;
    } else {
      go(column);
      pen.use(styleAt(line, column));
      if (kind === "mark") pen.restate();
      const width = kind === "wide" ? 2 : 1;
      pen.write(kind === "half" ? " " : textAt(line, column));
      at = widths.isDisputed(codeAt(line, column)) ? -1 : column + width;
      column += width;
    }
  }
}

type Kind = "text" | "wide" | "half" | "mark" | "blank" | "ground" | "odd";

/** `half` is a wide character whose second column was written over, which shows as a blank; `mark` is a joining
 * character that stands alone; `ground` is erased in a colour; `odd` is erased in a style of text. */
function kindAt(line: Line, column: number, cols: number, widths: Widths): Kind {
  const width = widthAt(line, column);
  if (hasText(line, column)) {
    if (width === 0) return "mark";
    if (width === 1) return widths.isMark(codeAt(line, column)) ? "mark" : "text";
    const isWhole =
      column + 1 < cols && widthAt(line, column + 1) === 0 && !hasText(line, column + 1);
    return isWhole ? "wide" : "half";
  }
  const background = backgroundAt(line, column);
  if (foregroundAt(line, column) === 0 && background === 0) return "blank";
  return isOdd(line, column) ? "odd" : "ground";
}

const isOdd = (line: Line, column: number): boolean =>
  !hasText(line, column) &&
  (foregroundAt(line, column) !== 0 || (backgroundAt(line, column) & GROUND_FLAGS) !== 0);

/** The column after those that are erased in the same colour. */
function sameGround(line: Line, column: number, cols: number): number {
  const background = backgroundAt(line, column);
  let end = column + 1;
  while (
    end < cols &&
    !hasText(line, end) &&
    foregroundAt(line, end) === 0 &&
    backgroundAt(line, end) === background
  ) {
    end += 1;
  }
  return end;
}

const groundOf = (line: Line, column: number): Style => ({
  ...PLAIN,
  background: styleAt(line, column).background,
});

/** Leaves the last cell erased in a style, and the one before blank. */
function lastErasedWithStyle(pen: Pen, style: Style, last: number): void {
  if (last < 1) return;
  pen.use(style);
  pen.write(`\x1b[${last}G${WIDE}\x1b[${last}G `);
  pen.use(PLAIN);
  pen.write(`\x1b[${last}G\x1b[X`);
}
