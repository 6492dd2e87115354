import type { Terminal } from "@xterm/headless";
import type { Buffer, Inside, Line } from "./internals.ts";
import { wrappedLength } from "./text-lines.ts";

/** A place in a buffer: a column, and a row counted from the oldest one kept. */
interface Place {
  readonly column: number;
  readonly row: number;
}

/** Gives the terminal another size. Lines that the width breaks are broken anew, the cursor's too (an option of the
 * terminal), and the cursor stays at its character: xterm.js alone leaves it in its column of a row that is another
 * one then. */
export function resize(terminal: Terminal, inside: Inside, cols: number, rows: number): void {
  const { normal, alt, active } = inside.buffers;
  if (active === alt) {
    // The main screen's cursor is the saved one as long as a program has the alternate screen.
    const findSaved = follow(normal, { column: normal.savedX, row: normal.savedY });
    terminal.resize(cols, rows);
    const saved = findSaved(cols);
    if (!saved) return;
    normal.savedX = Math.min(saved.column, cols - 1);
    normal.savedY = saved.row;
    return;
  }
  const findCursor = follow(normal, { column: normal.x, row: normal.ybase + normal.y });
  terminal.resize(cols, rows);
  const cursor = findCursor(cols);
  const y = cursor ? cursor.row - normal.ybase : -1;
  if (!cursor || y < 0 || y >= rows) return;
  normal.x = cursor.column;
  normal.y = y;
}

/** Remembers a place by its distance from the start of its line, and tells where that is once the rows are others;
 * `undefined` when the line is gone. */
function follow(buffer: Buffer, place: Place): (cols: number) => Place | undefined {
  let first = place.row;
  while (first > 0 && rowAt(buffer, first)?.isWrapped) first -= 1;
  let distance = place.column;
  for (let row = first; row < place.row; row += 1) distance += lengthOf(buffer, row);
  const marker = buffer.addMarker(first);
  return (cols) => {
    let row = marker.line;
    marker.dispose();
    if (row < 0) return undefined;
    let left = distance;
    while (rowAt(buffer, row + 1)?.isWrapped && left >= lengthOf(buffer, row)) {
      left -= lengthOf(buffer, row);
      row += 1;
    }
    return { column: Math.min(left, cols), row };
  };
}

/** How many columns of its line a row has, when another row goes on with it. */
function lengthOf(buffer: Buffer, row: number): number {
  const line = rowAt(buffer, row);
  const next = rowAt(buffer, row + 1);
  return line && next ? wrappedLength(line, next, line.length) : 0;
}

/** The list keeps rows behind its end that it does not have any more, and would answer with them. */
const rowAt = ({ lines }: Buffer, row: number): Line | undefined =>
  row < lines.length ? lines.get(row) : undefined;
