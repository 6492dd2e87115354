import { heedDcs } from "./bounded-string.ts";
import type { FurtherModes } from "./further-modes.ts";
import type { Inside } from "./internals.ts";
import { PLAIN, sgr, styleOf } from "./style.ts";
import type { Theme } from "./theme.ts";

/** What answers need to know beyond the terminal. */
export interface Asked {
  readonly version: string;
  readonly modes: FurtherModes;
  theme(): Theme;
  /** The size of a character in pixels. */
  readonly cell: { readonly width: number; readonly height: number };
  answer(text: string): void;
}

/** Answers what programs ask the terminal and xterm.js leaves open or answers wrongly. Device attributes and the modes
 * that it has it answers itself. Never answered: the title (`CSI 21 t`) and the clipboard (OSC 52), which would type
 * into the program what another one wrote. */
export function attachAnswers(inside: Inside, asked: Asked): void {
  const parser = inside._inputHandler._parser;
  parser.registerCsiHandler({ final: "n" }, ({ params }) => {
    if (params[0] === 6) asked.answer(`\x1b[${position(inside)}R`);
    return params[0] === 6;
  });
  parser.registerCsiHandler({ prefix: "?", final: "n" }, ({ params }) => {
    if (params[0] === 6) asked.answer(`\x1b[?${position(inside)}R`);
    if (params[0] === 996) asked.answer(schemeReport(asked.theme()));
    return true;
  });
  parser.registerCsiHandler({ prefix: "?", intermediates: "$", final: "p" }, ({ params }) => {
    const mode = params[0] ?? 0;
    // xterm.js says of the old mouse encodings that they cannot be, and its viewers hold to that.
    const isOn = mode === 1005 || mode === 1015 ? undefined : asked.modes.isOn(mode);
    if (isOn === undefined) return false;
    asked.answer(`\x1b[?${mode};${isOn ? 1 : 2}$y`);
    return true;
  });
  parser.registerCsiHandler({ prefix: ">", final: "q" }, ({ params }) => {
    if (params[0] === 0) asked.answer(`\x1bP>|termtopic(${asked.version})\x1b\\`);
    return true;
  });
  parser.registerCsiHandler({ final: "t" }, ({ params, length }) => {
    const text = sizeReport(inside, asked, params[0] ?? 0, length > 1 ? (params[1] ?? 0) : 0);
    if (text !== undefined) asked.answer(text);
    return true;
  });
  heedDcs(parser, { intermediates: "$", final: "q" }, (setting) => {
    const state = settingReport(inside, setting);
    // What was asked is not repeated: it could be anything, and the answer is typed into the program.
    asked.answer(state === undefined ? "\x1bP0$r\x1b\\" : `\x1bP1$r${state}\x1b\\`);
  });
}

/** The report of the colour scheme, asked for or because it changed (mode 2031): 1 is dark, 2 is light. */
export const schemeReport = ({ scheme }: Theme): string =>
  `\x1b[?997;${scheme === "dark" ? 1 : 2}n`;

/** Row and column from 1. A cursor that waits behind the last column is in it, and in origin mode rows count from the
 * region's top. */
function position({ buffers, cols, coreService }: Inside): string {
  const { x, y, scrollTop } = buffers.active;
  const top = coreService.decPrivateModes.origin ? scrollTop : 0;
  return `${y - top + 1};${Math.min(x, cols - 1) + 1}`;
}

function sizeReport(
  { rows, cols }: Inside,
  { cell }: Asked,
  what: number,
  which: number,
): string | undefined {
  switch (what) {
    case 14:
      // The size of the whole window, frame and all, is known to nobody here.
      return which === 2 ? undefined : `\x1b[4;${rows * cell.height};${cols * cell.width}t`;
    case 16:
      return `\x1b[6;${cell.height};${cell.width}t`;
    case 18:
      return `\x1b[8;${rows};${cols}t`;
    default:
      return undefined;
  }
}

/** The state of a setting as the sequence that sets it ends (DECRQSS); `undefined` for one that is not known. */
function settingReport(inside: Inside, setting: string): string | undefined {
  const { _curAttrData: attributes } = inside._inputHandler;
  const style = styleOf(attributes.fg, attributes.bg, attributes.extended);
  switch (setting) {
    case "m": {
      const text = sgr(PLAIN, { ...style, isProtected: false });
      return text === "" || text === "\x1b[m" ? "0m" : `0;${text.slice(2)}`;
    }
    case "r": {
      const { scrollTop, scrollBottom } = inside.buffers.active;
      return `${scrollTop + 1};${scrollBottom + 1}r`;
    }
    case " q":
      return `${cursorShape(inside)} q`;
    case '"q':
      return `${style.isProtected ? 1 : 0}"q`;
    case '"p':
      return '61;1"p';
    default:
      return undefined;
  }
}

/** The number that DECSCUSR sets the cursor's shape by; 0 where the program set none. */
export function cursorShape({ coreService: { decPrivateModes: modes } }: Inside): number {
  const { cursorStyle, cursorBlink } = modes;
  if (cursorStyle === undefined && cursorBlink === undefined) return 0;
  const steady = { block: 2, underline: 4, bar: 6 }[cursorStyle ?? "block"];
  return cursorBlink ? steady - 1 : steady;
}
