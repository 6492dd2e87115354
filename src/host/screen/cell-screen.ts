import { textAt, widthAt } from "./cells.ts";
import type { FurtherModes } from "./further-modes.ts";
import type { Inside, Line } from "./internals.ts";
import { styleAt } from "./pen.ts";
import { PLAIN, type Style, sameStyle } from "./style.ts";

/** What is said where a screen is larger than asked for. */
export const CELLS_TOO_LARGE = "the screen's cells are more than fit";

/** Cells of one kind and style that stand side by side.
 *
 * - `blank`: nothing was printed there.
 * - `single`: each text takes one column.
 * - `wide`: each text takes two; the second of them is the continuation and is not stated. */
export type CellRun = BlankRun | TextRun;

interface BlankRun {
  readonly kind: "blank";
  /** Place in `styles`. */
  readonly style: number;
  /** How many cells, or pairs of cells. */
  readonly count: number;
}

interface TextRun extends Omit<BlankRun, "kind"> {
  readonly kind: "single" | "wide";
  /** Their texts: one string where each is one code point, else one for each. */
  readonly text: string | readonly string[];
}

export interface CellModes {
  readonly insert: boolean;
  readonly bracketed_paste: boolean;
  readonly mouse_tracking: boolean;
  readonly focus_tracking: boolean;
  readonly application_cursor_keys: boolean;
  readonly application_keypad: boolean;
  readonly keyboard_protocol: boolean;
  readonly synchronized_updates: boolean;
  readonly alternate_screen: boolean;
  readonly origin: boolean;
  readonly autowrap: boolean;
}

/** A screen cell by cell. */
export interface CellScreen {
  readonly rows: number;
  readonly columns: number;
  readonly cursor: {
    readonly row: number;
    readonly column: number;
    readonly visible: boolean;
    readonly shape: "block" | "underline" | "bar";
    readonly blinking: boolean;
  };
  readonly modes: CellModes;
  /** The styles that cells have, each once. */
  readonly styles: readonly Style[];
  /** The runs of each row, from the left; every row is as wide as the screen. */
  readonly cells: readonly (readonly CellRun[])[];
}

/** Bytes of JSON of a run beside its texts, and of a style, at most. */
const RUN_BYTES = 64;
const STYLE_BYTES = 256;

/** The longest text of one cell, in bytes of UTF-8, as the dialect has it. */
const CELL_BYTES = 64;

/** Throws in the words of CELLS_TOO_LARGE where the cells are more than `maxBytes` of JSON. */
export function cellScreen(inside: Inside, modes: FurtherModes, maxBytes: number): CellScreen {
  const { active, alt } = inside.buffers;
  const { rows, cols: columns } = inside;
  const styles = new Styles();
  const cells: CellRun[][] = [];
  let bytes = 0;
  for (let row = 0; row < rows; row += 1) {
    const runs = runsOf(active.lines.get(active.ybase + row), columns, styles);
    for (const run of runs) {
      bytes += RUN_BYTES;
      if (run.kind !== "blank") bytes += Buffer.byteLength(JSON.stringify(run.text));
    }
    if (bytes + STYLE_BYTES * styles.list.length > maxBytes) throw new Error(CELLS_TOO_LARGE);
    cells.push(runs);
  }
  return {
    rows,
    columns,
    cursor: cursorOf(inside),
    modes: modesOf(inside, modes.keyboard(active === alt)),
    styles: styles.list,
    cells,
  };
}

function runsOf(line: Line | undefined, columns: number, styles: Styles): CellRun[] {
  const runs: CellRun[] = [];
  let texts: string[] = [];
  let count = 0;
  let kind: CellRun["kind"] = "blank";
  let style = 0;
  const end = () => {
    if (count === 0) return;
    const text = texts.every(isCodePoint) ? texts.join("") : texts;
    runs.push(kind === "blank" ? { kind, style, count } : { kind, style, count, text });
  };
  for (let column = 0; column < columns; ) {
    const text = line === undefined ? "" : textAt(line, column);
    const isWide = line !== undefined && widthAt(line, column) === 2 && column + 1 < columns;
    const next = text === "" ? "blank" : isWide ? "wide" : "single";
    const nextStyle = styles.place(line === undefined ? PLAIN : styleAt(line, column));
    if (next !== kind || nextStyle !== style) {
      end();
      texts = [];
      count = 0;
      kind = next;
      style = nextStyle;
    }
    count += 1;
    if (text !== "") texts.push(cellText(text));
    column += next === "wide" ? 2 : 1;
  }
  end();
  return runs;
}

/** The text of a cell, with as many of the marks on its character as there is room for. */
function cellText(text: string): string {
  if (3 * text.length <= CELL_BYTES) return text;
  let kept = "";
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > CELL_BYTES) break;
    kept += character;
  }
  return kept;
}

const isCodePoint = (text: string) => {
  const code = text.codePointAt(0) ?? 0;
  return text.length === (code > 0xffff ? 2 : 1);
};

/** A program may give each cell a colour of its own. */
class Styles {
  readonly list: Style[] = [];
  readonly #places = new Map<string, number>();
  #last: Style | undefined;
  #lastPlace = 0;

  place(style: Style): number {
    if (this.#last !== undefined && sameStyle(style, this.#last)) return this.#lastPlace;
    const name = `${style.flags} ${style.foreground} ${style.background} ${style.underline}`;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.list.length;
      this.list.push(style);
      this.#places.set(name, place);
    }
    this.#last = style;
    this.#lastPlace = place;
    return place;
  }
}

/** Past the last column while the next character will begin a row. */
function cursorOf({ cols, coreService, optionsService, buffers }: Inside): CellScreen["cursor"] {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes;
  const { x, y } = buffers.active;
  return {
    row: y,
    column: Math.min(x, cols - 1),
    visible: !coreService.isCursorHidden,
    shape: cursorStyle ?? "block",
    blinking: cursorBlink ?? optionsService.rawOptions.cursorBlink,
  };
}

function modesOf({ coreService, coreMouseService, buffers }: Inside, keyboard: number): CellModes {
  const { insertMode } = coreService.modes;
  const modes = coreService.decPrivateModes;
  return {
    insert: insertMode,
    bracketed_paste: modes.bracketedPasteMode,
    mouse_tracking: coreMouseService.activeProtocol !== "NONE",
    focus_tracking: modes.sendFocus,
    application_cursor_keys: modes.applicationCursorKeys,
    application_keypad: modes.applicationKeypad,
    keyboard_protocol: keyboard !== 0,
    synchronized_updates: modes.synchronizedOutput,
    alternate_screen: buffers.active === buffers.alt,
    origin: modes.origin,
    autowrap: modes.wraparound,
  };
}
