import type { Titles } from "../vt/titles.ts";
import { cursorShape } from "./answers.ts";
import { hasText, textAt, widthAt } from "./cells.ts";
import { designate, paintCharsets } from "./charsets.ts";
import { FurtherModes } from "./further-modes.ts";
import type { Buffer, Inside } from "./internals.ts";
import type { Links } from "./links.ts";
import { paintRows } from "./paint-rows.ts";
import type { Palette } from "./palette.ts";
import { currentStyle, Pen, styleAt } from "./pen.ts";
import { PLAIN, sameStyle, styleOf } from "./style.ts";

/** What there is to paint besides the terminal itself. */
export interface Painted {
  readonly inside: Inside;
  readonly links: Links;
  readonly palette: Palette;
  readonly modes: FurtherModes;
  readonly titles: Titles;
}

/** Takes a terminal from any state to an empty main screen; lines above it stay. CAN ends a sequence that was cut.
 * Synchronised output is ended first, or nothing of the rest would show. */
const RESET = [
  "\x18\x1b[?2026l\x1b[?1049l\x1b[!p",
  "\x1b[?1l\x1b[?6l\x1b[?7h\x1b[?12l\x1b[?25h\x1b[?45l\x1b[?66l\x1b[4l\x1b[20l",
  "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?1016l\x1b[?2004l",
  FurtherModes.RESET,
  "\x1b[0 q\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b]8;;\x1b\\\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\",
  '\x1b[0"q\x1b[m\x1b[r\x1b[H\x1b[2J',
].join("");

/** The sequences that make any terminal of the same size show exactly this screen, and behave like it: both buffers,
 * modes, regions, cursors. With `history` it begins with so many lines before the screen, which end up above it. */
export function paint(painted: Painted, history: number): string {
  const { inside, links, palette, modes, titles } = painted;
  const { normal, alt, active } = inside.buffers;
  const isAlternate = active === alt;
  const pen = new Pen(links);
  pen.write(`${RESET}${palette.paint()}${paintTitles(titles)}`);
  const lines = Math.min(history, normal.ybase);
  paintBuffer(pen, inside, normal, normal.ybase - lines, modes.paintKeyboard(false));
  if (isAlternate) {
    // Taking the alternate screen saves the cursor, which stands where it has to.
    pen.write("\x1b[?1049h\x1b(B");
    pen.use(PLAIN);
    pen.write("\x1b[m\x1b[r\x1b[H\x1b[2J");
    paintBuffer(pen, inside, alt, alt.ybase, modes.paintKeyboard(true));
  }
  pen.write(`\x1b7\x1b(B${paintModes(inside)}${modes.paint()}`);
  paintCursor(pen, inside);
  return pen.text();
}

/** The title, once those are put aside that a program may bring back. */
function paintTitles({ saved, title }: Titles): string {
  const set = (text: string) => `\x1b]2;${text}\x1b\\`;
  return saved.map((text) => `${set(text)}\x1b[22;2t`).join("") + set(title);
}

/** Rows, tab stops and scroll region of a buffer. The cursor ends where and as it is to be saved. */
function paintBuffer(pen: Pen, inside: Inside, buffer: Buffer, first: number, keyboard: string) {
  paintRows(pen, inside, buffer, first, buffer.ybase + inside.rows);
  pen.write(keyboard + paintTabs(inside, buffer));
  const { scrollTop, scrollBottom } = buffer;
  if (scrollTop !== 0 || scrollBottom !== inside.rows - 1) {
    pen.write(`\x1b[${scrollTop + 1};${scrollBottom + 1}r`);
  }
  const saved = buffer.savedCurAttrData;
  const row = Math.min(Math.max(buffer.savedY - buffer.ybase, 0), inside.rows - 1);
  pen.write(`\x1b[${row + 1};${Math.min(buffer.savedX, inside.cols - 1) + 1}H`);
  pen.use(styleOf(saved.fg, saved.bg, undefined));
  pen.write(designate(buffer.savedCharset));
}

function paintTabs({ cols }: Inside, { tabs }: Buffer): string {
  let text = "\x1b[3g";
  for (let column = 0; column < cols; column += 1) {
    if (tabs[column]) text += `\x1b[${column + 1}G\x1bH`;
  }
  return text;
}

const MOUSE: Readonly<Record<string, number>> = { X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 };
const ENCODINGS: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 };

function paintModes(inside: Inside): string {
  const { coreService, coreMouseService, optionsService } = inside;
  const { decPrivateModes: modes, isCursorHidden, modes: ansi } = coreService;
  const isOn: readonly [number | undefined, boolean][] = [
    [1, modes.applicationCursorKeys],
    [12, optionsService.rawOptions.cursorBlink],
    [45, modes.reverseWraparound],
    [66, modes.applicationKeypad],
    [MOUSE[coreMouseService.activeProtocol], true],
    [ENCODINGS[coreMouseService.activeEncoding], true],
    [1004, modes.sendFocus],
    [2004, modes.bracketedPasteMode],
    [6, modes.origin],
  ];
  let text = "";
  for (const [mode, holds] of isOn) {
    if (holds && mode !== undefined) text += `\x1b[?${mode}h`;
  }
  if (optionsService.rawOptions.convertEol) text += "\x1b[20h";
  if (ansi.insertMode) text += "\x1b[4h";
  if (!modes.wraparound) text += "\x1b[?7l";
  if (isCursorHidden) text += "\x1b[?25l";
  const shape = cursorShape(inside);
  return shape === 0 ? text : `${text}\x1b[${shape} q`;
}

/** Puts the cursor and the style of the characters to come in place. A cursor that waits behind the last column gets
 * there only by writing that column; and a mark to come joins the character before it only if that was just written. */
function paintCursor(pen: Pen, inside: Inside): void {
  const { buffers, cols, coreService, _inputHandler: input } = inside;
  const { x, y, ybase, lines, scrollTop } = buffers.active;
  const row = y - (coreService.decPrivateModes.origin ? scrollTop : 0) + 1;
  const style = currentStyle(inside);
  const waits = x >= cols;
  const line = lines.get(ybase + y);
  const before = Math.min(x, cols) - 1;
  const isWide = line && before > 0 && widthAt(line, before) === 0 && !hasText(line, before);
  const column = isWide ? before - 1 : before;
  const joins =
    input._parser.precedingJoinState !== 0 &&
    line !== undefined &&
    column >= 0 &&
    hasText(line, column) &&
    widthAt(line, column) === Math.min(x, cols) - column &&
    sameStyle(styleAt(line, column), style);
  // What is written to get there has to go by the sets that it was written by: those that hold now where it joins, none
  // where it does not.
  if (line && joins) {
    pen.write(`${paintCharsets(inside)}\x1b[${row};${column + 1}H`);
    pen.use(style);
    // In insert mode it moves what is to its right, which has to stand so much further left.
    if (coreService.modes.insertMode && !waits) pen.write(`\x1b[${x - column}P`);
    pen.write(textAt(line, column));
    return;
  }
  pen.write(`\x1b[${row};${(waits ? column : x) + 1}H`);
  if (line && waits) {
    pen.use(styleAt(line, column));
    pen.write(textAt(line, column) || " ");
  }
  pen.use(style);
  pen.write(paintCharsets(inside));
}
