import type { Inside, Params } from "./internals.ts";
import { CELL_CHARACTERS } from "./limits.ts";

/** Keeps programs from hanging the parser or filling memory through it, and an error in one sequence from losing those
 * after it. Comes after all other handlers are there. */
export function guard(inside: Inside): void {
  boundCounts(inside);
  eraseFromLastCell(inside);
  boundCells(inside);
  catchErrors(inside);
}

/** The parser repeats these as often as the sequence says. Beyond the size of the screen nothing changes any more. */
function boundCounts(inside: Inside): void {
  const parser = inside._inputHandler._parser;
  const bound = (params: Params, most: number) => {
    if ((params.params[0] ?? 0) > most) params.params[0] = most;
    return false;
  };
  for (const final of ["L", "M", "S", "T"]) {
    parser.registerCsiHandler({ final }, (params) => bound(params, inside.rows));
  }
  for (const final of ["I", "Z", "@", "P"]) {
    parser.registerCsiHandler({ final }, (params) => bound(params, inside.cols));
  }
  for (const id of [
    { intermediates: " ", final: "@" },
    { intermediates: " ", final: "A" },
    { intermediates: "'", final: "}" },
    { intermediates: "'", final: "~" },
  ]) {
    parser.registerCsiHandler(id, (params) => bound(params, inside.cols));
  }
  parser.registerCsiHandler({ final: "b" }, (params) => bound(params, inside.cols * inside.rows));
}

/** Erasing up to the cursor in the very last cell (`CSI 1 J`) makes the parser look at a row below, which is not there
 * as long as there is no history: an error, half way. It is done here then. */
function eraseFromLastCell(inside: Inside): void {
  const input = inside._inputHandler;
  const erase = (params: Params, spares: boolean): boolean => {
    const { x, y, lines } = inside.buffers.active;
    if (params.params[0] !== 1 || x + 1 < inside.cols || y + 1 < lines.length) return false;
    input._restrictCursor(inside.cols);
    input._eraseInBufferLine(y, 0, x + 1, true, spares);
    for (let row = 0; row < y; row += 1) input._resetBufferLine(row, spares);
    return true;
  };
  input._parser.registerCsiHandler({ final: "J" }, (params) => erase(params, false));
  input._parser.registerCsiHandler({ prefix: "?", final: "J" }, (params) => erase(params, true));
}

/** Prototypes of rows that have been given a bound; one, in practice. */
const bounded = new WeakSet<object>();

/** Marks that join the character before them could pile up in one cell without end. */
function boundCells(inside: Inside): void {
  const line = inside.buffers.normal.lines.get(0);
  if (!line) return;
  const rows = Object.getPrototypeOf(line) as typeof line;
  if (bounded.has(rows)) return;
  bounded.add(rows);
  const add = rows.addCodepointToCell;
  rows.addCodepointToCell = function (column, code, width) {
    if ((this._combined[column]?.length ?? 0) < CELL_CHARACTERS || !isJoined(this._data, column)) {
      add.call(this, column, code, width);
    }
  };
}

/** Whether the cell's text is what `_combined` says; an overwritten cell leaves its old text there. */
const isJoined = (data: Uint32Array, column: number): boolean =>
  ((data[column * 3] ?? 0) & 0x200000) !== 0;

/** An error in a handler would leave the parser in the middle of its work; the sequence then counts as done. */
function catchErrors(inside: Inside): void {
  const { _csiHandlers, _escHandlers, _executeHandlers } = inside._inputHandler._parser;
  for (const handlers of [...Object.values(_csiHandlers), ...Object.values(_escHandlers)]) {
    handlers.forEach((handler, index) => {
      handlers[index] = caught(handler);
    });
  }
  for (const [code, handler] of Object.entries(_executeHandlers)) {
    _executeHandlers[Number(code)] = caught(handler);
  }
}

function caught(handler: (...given: never[]) => boolean): (...given: never[]) => boolean {
  return (...given) => {
    try {
      return handler(...given);
    } catch {
      return true;
    }
  };
}
