import { Unicode11Addon } from "@xterm/addon-unicode11/lib/addon-unicode11.mjs";
import type { Terminal as XTerm } from "@xterm/headless";
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";
import { cursorShape } from "../../../src/host/screen/answers.ts";
import { textAt, widthAt } from "../../../src/host/screen/cells.ts";
import { type Inside, insideOf, type Line } from "../../../src/host/screen/internals.ts";
import { Model } from "../../../src/host/screen/model.ts";
import { currentStyle, styleAt } from "../../../src/host/screen/pen.ts";
import { CELL_PIXELS, DEFAULT_THEME } from "../../../src/host/screen/theme.ts";

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function modelOf(size: Size, scrollback = 200): Model {
  return new Model({
    ...size,
    scrollback,
    theme: DEFAULT_THEME,
    cell: CELL_PIXELS,
    version: "1.2.3",
  });
}

/** A terminal as a viewer has one: xterm.js and nothing of ours, but for the table of widths. */
export class Viewer {
  readonly terminal: XTerm;
  title = "";

  constructor(size: Size, scrollback = 200) {
    this.terminal = new Terminal({ ...size, scrollback, allowProposedApi: true, logLevel: "off" });
    this.terminal.loadAddon(new Unicode11Addon());
    this.terminal.unicode.activeVersion = "11";
    this.terminal.onTitleChange((title) => {
      this.title = title;
    });
  }

  write(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => this.terminal.write(bytes, resolve));
  }

  state(what: { history: boolean }) {
    const inside = insideOf(this.terminal);
    // xterm.js keeps links in a service of its own.
    const { _oscLinkService: links } = inside as Inside & {
      _oscLinkService?: { getLinkData(number: number): { uri: string } | undefined };
    };
    return stateOf(inside, this.title, (number) => links?.getLinkData(number)?.uri ?? "", what);
  }
}

/** The state of a model, in the same words. */
export const modelState = (model: Model, what: { history: boolean }) =>
  stateOf(model.inside, model.title, (number) => model.links.get(number)?.uri ?? "", what);

/** Everything about a terminal that can be seen, or felt by what is written next. */
function stateOf(inside: Inside, title: string, linkOf: LinkOf, { history }: { history: boolean }) {
  const { buffers, coreService, coreMouseService, optionsService } = inside;
  const { active, normal, alt } = inside.buffers;
  const { cursorStyle: _style, cursorBlink: _blink, ...modes } = coreService.decPrivateModes;
  const isAlternate = active === alt;
  const bufferState = (buffer: typeof normal, first: number) => ({
    rows: rowsOf(buffer.lines, first, buffer.ybase + inside.rows, linkOf, (row, column) =>
      // A cursor waits behind the last column only after that was written: erased since, it is a written blank in the copy.
      buffer === active &&
      row === active.ybase + active.y &&
      active.x >= inside.cols &&
      column === inside.cols - 1
        ? " "
        : "",
    ),
    region: [buffer.scrollTop, buffer.scrollBottom],
    tabs: Object.keys(buffer.tabs).filter(
      (key) => buffer.tabs[Number(key)] && Number(key) < inside.cols,
    ),
    saved: [
      Math.min(buffer.savedX, inside.cols - 1),
      Math.min(Math.max(buffer.savedY - buffer.ybase, 0), inside.rows - 1),
      buffer.savedCharset,
    ],
  });
  return {
    title,
    isAlternate,
    cursor: [Math.min(active.x, inside.cols), active.y],
    style: { ...currentStyle(inside), link: linkOf(currentStyle(inside).link) },
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
    alternate: isAlternate ? bufferState(buffers.alt, 0) : undefined,
  };
}

type LinkOf = (number: number) => string;

function rowsOf(
  lines: { get(row: number): Line | undefined },
  first: number,
  end: number,
  linkOf: LinkOf,
  blankAt: (row: number, column: number) => string,
) {
  const rows: unknown[] = [];
  for (let row = first; row < end; row += 1) {
    const line = lines.get(row);
    if (!line) {
      rows.push(undefined);
      continue;
    }
    const cells: string[] = [];
    for (let column = 0; column < line.length; column += 1) {
      const { link, ...style } = styleAt(line, column);
      cells.push(
        `${textAt(line, column) || blankAt(row, column)}|${widthAt(line, column)}|${Object.values(style).join(",")}|${linkOf(link)}`,
      );
    }
    rows.push({ isWrapped: row === first ? false : line.isWrapped, cells });
  }
  return rows;
}
