import type { Buffer, Inside } from "./internals.ts";
import { paintRow, type Widths } from "./paint-row.ts";
import type { Pen } from "./pen.ts";
import { PLAIN } from "./style.ts";

/** Paints rows of a buffer, counted from the oldest one kept, from the cursor's place on: at the start of a blank row.
 * Below the last row of the screen it scrolls up as it is written, so history is painted by beginning before the
 * screen. */
export function paintRows(
  pen: Pen,
  { cols, rows, unicodeService }: Inside,
  { lines }: Buffer,
  first: number,
  end: number,
): void {
  const old = unicodeService._providers["6"];
  const current = unicodeService._providers["11"];
  const widths: Widths = {
    isMark: (code) => code > 0xff && current?.wcwidth(code) === 0,
    isDisputed: (code) => code > 0xff && old?.wcwidth(code) !== current?.wcwidth(code),
  };
  for (let row = first; row < end; row += 1) {
    const line = lines.get(row);
    const hasNext = row + 1 < end;
    // A screen of one row cannot be gone back to the row before.
    const continues = hasNext && rows > 1 && lines.get(row + 1)?.isWrapped === true;
    pen.use(PLAIN);
    if (continues) pen.write(wrap(cols));
    if (line) paintRow(pen, line, cols, widths);
    pen.use(PLAIN);
    if (hasNext) pen.write(continues ? "\r\x1b[B" : "\r\n");
  }
}

/** Makes the next row one that continues this one, which only text that runs over the end does, and leaves both blank. */
const wrap = (cols: number): string => `\x1b[${cols}G  \r\x1b[X\x1b[A\x1b[${cols}G\x1b[X\r`;
