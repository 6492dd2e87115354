import { BG, COLOUR, FG } from "./cells.ts";
import type { Extended } from "./internals.ts";

/** How a character looks, in numbers that can be compared. Colours are 0 for the terminal's own. */
export interface Style {
  readonly flags: number;
  readonly foreground: number;
  readonly background: number;
  /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
  readonly underline: number;
  readonly underlineColour: number;
  readonly isProtected: boolean;
  /** The link that it is part of; 0 for none. */
  readonly link: number;
}

export const PLAIN: Style = {
  flags: 0,
  foreground: 0,
  background: 0,
  underline: 0,
  underlineColour: 0,
  isProtected: false,
  link: 0,
};

const PALETTE_16 = 0x1000000;
const PALETTE_256 = 0x2000000;
const RGB = 0x3000000;
const UNDERLINE_SHIFT = 26;

/** The switches of SGR: the bit here, what puts it on and what takes it away. Bold and dim are taken away together. */
const SWITCHES = [
  { bit: 1, on: 1, off: 22 },
  { bit: 2, on: 2, off: 22 },
  { bit: 4, on: 3, off: 23 },
  { bit: 8, on: 5, off: 25 },
  { bit: 16, on: 7, off: 27 },
  { bit: 32, on: 8, off: 28 },
  { bit: 64, on: 9, off: 29 },
  { bit: 128, on: 53, off: 55 },
] as const;
const INVERSE_BIT = 16;
const OVERLINE_BIT = 128;
const STRIKE_BIT = 64;
/** What shows on a blank too. */
export const VISIBLE_ON_BLANKS = INVERSE_BIT | STRIKE_BIT | OVERLINE_BIT;

/** A colour that a character has: the terminal's own, one of its 256, or 24 bits. */
export type Colour =
  | { readonly default: Readonly<Record<string, never>> }
  | { readonly indexed: number }
  | { readonly rgb: { readonly red: number; readonly green: number; readonly blue: number } };

/** What a style's number for a colour means. */
export function colourOf(number: number): Colour {
  if (number === 0) return { default: {} };
  if ((number & RGB) !== RGB) return { indexed: number & 0xff };
  return {
    rgb: { red: (number >>> 16) & 0xff, green: (number >>> 8) & 0xff, blue: number & 0xff },
  };
}

/** How a style's switches are on. */
export const isOn = ({ flags }: Style, name: keyof typeof FLAGS): boolean =>
  (flags & FLAGS[name]) !== 0;

const FLAGS = { bold: 1, faint: 2, italic: 4, inverse: 16, strikethrough: 64 } as const;

/** The style of a cell, or of the characters to come. */
export function styleOf(fg: number, bg: number, extended: Extended | undefined): Style {
  if (fg === 0 && bg === 0 && !extended) return PLAIN;
  const style = ((extended?._ext ?? 0) >>> UNDERLINE_SHIFT) & 7;
  return {
    flags:
      (fg & FG.bold ? 1 : 0) |
      (bg & BG.dim ? 2 : 0) |
      (bg & BG.italic ? 4 : 0) |
      (fg & FG.blink ? 8 : 0) |
      (fg & FG.inverse ? INVERSE_BIT : 0) |
      (fg & FG.hidden ? 32 : 0) |
      (fg & FG.strike ? STRIKE_BIT : 0) |
      (bg & BG.overline ? OVERLINE_BIT : 0),
    foreground: colour(fg),
    background: colour(bg),
    underline: fg & FG.underline ? style || 1 : 0,
    underlineColour: colour(extended?._ext ?? 0),
    isProtected: (bg & BG.protected) !== 0,
    link: extended?.urlId ?? 0,
  };
}

/** A colour without what an earlier one of another kind left in the bits that its own kind does not use. */
function colour(number: number): number {
  const kind = number & RGB;
  if (kind === 0) return 0;
  return kind === RGB ? number & COLOUR : kind | (number & 0xff);
}

/** The SGR sequence that leads from one style to the other, the shorter of the whole and the difference; links are not
 * SGR. */
export function sgr(from: Style, to: Style): string {
  const keeps = to.isProtected ? '\x1b[1"q' : from.isProtected ? '\x1b[0"q' : "";
  const whole = [0, ...difference(PLAIN, to)];
  const wholeText = whole.length === 1 ? "\x1b[m" : `\x1b[${whole.join(";")}m`;
  // There is no way back from an underline's colour but the one that resets everything.
  if (from.underlineColour !== 0 && to.underlineColour === 0) return wholeText + keeps;
  const changes = difference(from, to);
  if (changes.length === 0) return from.isProtected === to.isProtected ? "" : keeps;
  const text = `\x1b[${changes.join(";")}m`;
  if (text.length >= wholeText.length) return wholeText + keeps;
  return from.isProtected === to.isProtected ? text : text + keeps;
}

function difference(from: Style, to: Style): (number | string)[] {
  const codes: (number | string)[] = [];
  let held = from.flags;
  for (const { bit, off } of SWITCHES) {
    if (!(held & bit) || to.flags & bit) continue;
    if (!codes.includes(off)) codes.push(off);
    held &= off === 22 ? ~3 : ~bit;
  }
  for (const { bit, on } of SWITCHES) {
    if (to.flags & bit && !(held & bit)) codes.push(on);
  }
  if (from.underlineColour !== to.underlineColour)
    codes.push(...colourCodes(to.underlineColour, 58));
  if (from.underline !== to.underline) {
    codes.push(to.underline === 0 ? 24 : to.underline === 1 ? 4 : `4:${to.underline}`);
  }
  if (from.foreground !== to.foreground) codes.push(...colourCodes(to.foreground, 38));
  if (from.background !== to.background) codes.push(...colourCodes(to.background, 48));
  return codes;
}

/** `base` is 38, 48 or 58: foreground, background, underline. */
function colourCodes(number: number, base: number): number[] {
  const value = number & 0xffffff;
  switch (number & RGB) {
    case 0:
      return [base + 1];
    case PALETTE_16:
      // The sixteen have short forms for text and ground, and none for underlines.
      if (base !== 58) return [value < 8 ? base - 8 + value : base + 52 + value - 8];
      return [base, 5, value];
    case PALETTE_256:
      return [base, 5, value];
    default:
      return [base, 2, value >>> 16, (value >>> 8) & 0xff, value & 0xff];
  }
}

export const sameStyle = (a: Style, b: Style): boolean =>
  a === b ||
  (a.flags === b.flags &&
    a.foreground === b.foreground &&
    a.background === b.background &&
    a.underline === b.underline &&
    a.underlineColour === b.underlineColour &&
    a.isProtected === b.isProtected &&
    a.link === b.link);
