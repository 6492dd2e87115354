import { Unicode11Addon } from "@xterm/addon-unicode11/lib/addon-unicode11.mjs";
import type { Terminal as XTerm } from "@xterm/headless";
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";
import { cursorShape } from "../../../src/host/screen/answers.ts";
import {
  backgroundAt,
  foregroundAt,
  hasText,
  textAt,
  widthAt,
} from "../../../src/host/screen/cells.ts";
import { type Inside, insideOf, type Line } from "../../../src/host/screen/internals.ts";
import { Model } from "../../../src/host/screen/model.ts";
import { currentStyle, styleAt } from "../../../src/host/screen/pen.ts";
import { CELL_PIXELS, DEFAULT_THEME } from "../../../src/host/screen/theme.ts";

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export { Model } from "../../../src/host/screen/model.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function modelOf(size: Size, scrollback = 200): Model {
  return new Model({
    ...size,
    scrollback,
    theme: DEFAULT_THEME,
    cell: CELL_PIXELS,
    version: "1.2.3",
    fed: 0,
  });
}

/** A terminal as a viewer has one: xterm.js and nothing of ours, but for the table of widths. */
export class Viewer {
  readonly terminal: XTerm;
  title = "";

  constructor(size: Size, scrollback = 200) {
    this.terminal = new Terminal({
      ...size,
      scrollback,
      allowProposedApi: true,
      logLevel: "off",
      windowOptions: { pushTitle: true, popTitle: true },
    });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.terminal.onTitleChange((title) => {
      this.title = title;
    });
  }

  write(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.terminal.write(bytes, resolve));
  }

  state(what: What) {
    const inside = insideOf(this.terminal);
    // xterm.js keeps links in a service of its own.
    const { _oscLinkService: links } = inside as Inside & {
      _oscLinkService?: { getLinkData(number: number): { uri: string } | undefined };
    };
    return stateOf(inside, this.title, (number) => links?.getLinkData(number)?.uri ?? "", what);
  }
}

interface What {
  /** Whether lines above the screen count. */
  readonly history: boolean;
  /** Whether to leave out what xterm.js itself does not keep with a saved cursor or a scrolled row: underlines, links,
   * the saved row, which rows continue; and take a written blank for as good as an erased cell. */
  readonly isLoose?: boolean;
}

/** The state of a model, in the same words. */
export const modelState = (model: Model, what: What) =>
  stateOf(model.inside, model.title, (number) => model.links.get(number)?.uri ?? "", what);

/** Everything about a terminal that can be seen, or felt by what is written next. */
function stateOf(inside: Inside, title: string, links: LinkOf, { history, isLoose = false }: What) {
  const { coreService, coreMouseService, optionsService } = inside;
  const { active, normal, alt } = inside.buffers;
  const { cursorStyle: _style, cursorBlink: _blink, ...modes } = coreService.decPrivateModes;
  const isAlternate = active === alt;
  const linkOf: LinkOf = isLoose ? () => "" : links;
  const bufferState = (buffer: typeof normal, first: number) => ({
    rows: rowsOf(buffer.lines, first, buffer.ybase + inside.rows, {
      cols: inside.cols,
      linkOf,
      isLoose,
      // A cursor waits behind the last column only after that was written: erased since, it is a written blank in the
      // copy.
      waiting: buffer === active && active.x >= inside.cols ? active.ybase + active.y : -1,
    }),
    region: [buffer.scrollTop, buffer.scrollBottom],
    tabs: Object.keys(buffer.tabs).filter(
      (key) => buffer.tabs[Number(key)] && Number(key) < inside.cols,
    ),
    saved: isLoose
      ? undefined
      : [
          Math.min(buffer.savedX, inside.cols - 1),
          Math.min(Math.max(buffer.savedY - buffer.ybase, 0), inside.rows - 1),
          buffer.savedCharset,
        ],
  });
  return {
    title,
    isAlternate,
    cursor: [Math.min(active.x, inside.cols), active.y],
    style: {
      ...currentStyle(inside),
      ...(isLoose ? { underline: 0, underlineColour: 0 } : {}),
      link: linkOf(currentStyle(inside).link),
    },
    hidden: coreService.isCursorHidden,
    shape: cursorShape(inside),
    modes,
    insert: coreService.modes.insertMode,
    newline: optionsService.rawOptions.convertEol,
    blink: optionsService.rawOptions.cursorBlink,
    mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
    charset: inside._charsetService.charset,
    glevel: inside._charsetService.glevel,
    normal: bufferState(normal, history ? 0 : normal.ybase),
    alternate: isAlternate ? bufferState(alt, alt.ybase) : undefined,
  };
}

type LinkOf = (number: number) => string;

/** Half of a wide character whose other half was written over. Nothing shows it, and no terminal is made to. */
function isLoneHalf(line: Line, column: number, cols: number): boolean {
  const isSecond = (at: number) => widthAt(line, at) === 0 && !hasText(line, at);
  if (isSecond(column)) return column === 0 || widthAt(line, column - 1) !== 2;
  return widthAt(line, column) === 2 && (column + 1 >= cols || !isSecond(column + 1));
}

function rowsOf(
  lines: { get(row: number): Line | undefined },
  first: number,
  end: number,
  {
    cols,
    linkOf,
    isLoose,
    waiting,
  }: { cols: number; linkOf: LinkOf; isLoose: boolean; waiting: number },
) {
  const rows: unknown[] = [];
  for (let row = first; row < end; row += 1) {
    const line = lines.get(row);
    const cells: string[] = [];
    for (let column = 0; line && column < cols; column += 1) {
      const { link, ...style } = styleAt(line, column);
      const isHalf = isLoneHalf(line, column, cols);
      const isBlank = isLoose || (row === waiting && column === cols - 1);
      const blank = isBlank || isStyledEnd(line, column, cols) ? " " : "";
      const half = hasText(line, column) ? " " : "";
      const text = (isHalf ? half : textAt(line, column)) || blank;
      // A mark that found nothing to join stands alone, in a column or none.
      const width = isHalf ? 1 : /^\p{M}$/u.test(text) ? 0 : widthAt(line, column);
      if (isLoose) Object.assign(style, { underline: 0, underlineColour: 0 });
      cells.push(`${text}|${width}|${Object.values(style).join(",")}|${linkOf(link)}`);
    }
    rows.push({ isWrapped: !isLoose && row !== first && line?.isWrapped, cells });
  }
  return rows;
}

/** The last cells but one where both are erased in the style of text, which no sequence does: one is a written blank in
 * the copy. */
function isStyledEnd(line: Line, column: number, cols: number): boolean {
  const isStyled = (at: number) =>
    !hasText(line, at) &&
    widthAt(line, at) === 1 &&
    (foregroundAt(line, at) !== 0 || backgroundAt(line, at) >>> 26 !== 0);
  return column === cols - 2 && isStyled(column) && isStyled(column + 1);
}
