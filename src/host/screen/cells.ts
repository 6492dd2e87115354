import type { Extended, Line } from "./internals.ts";

// How xterm.js packs a cell: three 32-bit numbers.
const NUMBERS = 3;
const TEXT = 0x1fffff;
const COMBINED = 0x200000;
const CONTENT = TEXT | COMBINED;
const WIDTH_SHIFT = 22;

/** Bits of a cell's foreground number. */
export const FG = {
  inverse: 0x4000000,
  bold: 0x8000000,
  underline: 0x10000000,
  blink: 0x20000000,
  hidden: 0x40000000,
  strike: 0x80000000,
} as const;

/** Bits of a cell's background number. */
export const BG = {
  italic: 0x4000000,
  dim: 0x8000000,
  extended: 0x10000000,
  protected: 0x20000000,
  overline: 0x40000000,
} as const;

/** The kind of colour and the colour, in either number. */
export const COLOUR = 0x3ffffff;

export const widthAt = (line: Line, column: number): number =>
  (line._data[column * NUMBERS] ?? 0) >> WIDTH_SHIFT;

/** Whether anything was printed there: a blank that was printed counts, one that was erased does not. */
export const hasText = (line: Line, column: number): boolean =>
  ((line._data[column * NUMBERS] ?? 0) & CONTENT) !== 0;

/** The first code point of a cell that holds no more than one; 0 for others. */
export const codeAt = (line: Line, column: number): number => {
  const content = line._data[column * NUMBERS] ?? 0;
  return content & COMBINED ? 0 : content & TEXT;
};

/** What was printed there; empty where nothing was. */
export function textAt(line: Line, column: number): string {
  const content = line._data[column * NUMBERS] ?? 0;
  if (content & COMBINED) return line._combined[column] ?? "";
  const code = content & TEXT;
  return code === 0 ? "" : String.fromCodePoint(code);
}

export const foregroundAt = (line: Line, column: number): number =>
  line._data[column * NUMBERS + 1] ?? 0;
export const backgroundAt = (line: Line, column: number): number =>
  line._data[column * NUMBERS + 2] ?? 0;

/** The rarer attributes of a cell; `undefined` for most. */
export const extendedAt = (line: Line, column: number): Extended | undefined =>
  backgroundAt(line, column) & BG.extended ? line._extendedAttrs[column] : undefined;
