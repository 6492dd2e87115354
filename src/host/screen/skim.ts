import type { Inside } from "./internals.ts";

/** What of output need not be parsed, as nothing of it is left on the screen or in its history once the rest is. */
export interface Skimmed {
  /** How much that is, from the front, in bytes. */
  readonly bytes: number;
  /** The styles in it that still hold at its end, and a carriage return. */
  readonly styles: Uint8Array;
}

const BEL = 0x07;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ESC = 0x1b;
const BRACKET = 0x5b;
const STYLE = 0x6d;
const ZERO = 0x30;
const LAST_PARAMETER = 0x3b;
/** The lead byte of C1 controls in UTF-8, of which the second is below FIRST_PRINTABLE. */
const C1_LEAD = 0xc2;
const FIRST_PRINTABLE = 0xa0;

/** Sequences that change nothing but the row of the cursor, its place in it, and the style: ICH, CUF, CUB, CHA, EL, DCH, ECH
 * and SGR (ECMA-48). */
const IN_ROW: ReadonlySet<number> = new Set([..."@CDGKPXm"].map((final) => final.charCodeAt(0)));

/** Skims the front of output for lines that leave the history as others follow them: so many line feeds at least come after
 * them. Up to there nothing may be in it that does more than write into rows; the front is where no sequence and no character
 * is open. Undefined where there is less than `least` bytes of that. */
export function skim(
  bytes: Uint8Array,
  { lines, least }: { readonly lines: number; readonly least: number },
): Skimmed | undefined {
  const end = endOfRows(bytes);
  const cut = lineBefore(bytes, end, lines);
  return cut < least ? undefined : { bytes: cut, styles: stylesOf(bytes, cut) };
}

/** Up to where there is nothing but text in rows. */
function endOfRows(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) {
      const after = endOfSequence(bytes, at);
      if (after === at) return at;
      at = after;
      continue;
    }
    if (byte < 0x20 && (byte < BEL || byte > CARRIAGE_RETURN)) return at;
    // What stands behind the last byte cannot be known.
    if (byte === C1_LEAD && (bytes[at + 1] ?? 0) < FIRST_PRINTABLE) return at;
    at += 1;
  }
  return at;
}

/** After the sequence that begins there; where it begins if it is not whole, or does more than write into its row. */
function endOfSequence(bytes: Uint8Array, start: number): number {
  if (bytes[start + 1] !== BRACKET) return start;
  let at = start + 2;
  while (isParameter(bytes[at])) at += 1;
  return IN_ROW.has(bytes[at] ?? 0) ? at + 1 : start;
}

const isParameter = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= LAST_PARAMETER;

/** The last place before the end at which a line begins with so many line feeds between the two; 0 where there is none. */
function lineBefore(bytes: Uint8Array, end: number, lines: number): number {
  let at = end;
  for (let line = 0; line < lines; line += 1) {
    at = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1);
    if (at < 0) return 0;
  }
  // There the cursor has to be in the first column, however it came to the line.
  while (at > 0) {
    at = bytes.lastIndexOf(LINE_FEED, at - 1);
    if (at < 0) return 0;
    if (bytes[at - 1] === CARRIAGE_RETURN) return at + 1;
  }
  return 0;
}

function stylesOf(bytes: Uint8Array, end: number): Uint8Array {
  const styles: number[] = [];
  for (let at = bytes.indexOf(ESC); at >= 0 && at < end; at = bytes.indexOf(ESC, at + 1)) {
    const after = endOfSequence(bytes, at);
    if (bytes[after - 1] !== STYLE) continue;
    // Without a first parameter, or with 0, it begins anew.
    if (!isParameter(bytes[at + 2]) || isZero(bytes, at + 2)) styles.length = 0;
    for (let place = at; place < after; place += 1) styles.push(bytes[place] ?? 0);
  }
  return Uint8Array.from([...styles, CARRIAGE_RETURN]);
}

const isZero = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === ZERO && (bytes[at + 1] === STYLE || bytes[at + 1] === LAST_PARAMETER);

/** Whether a line feed in the last row moves all of the screen into the history. */
export function scrollsWhole({ buffers: { normal, active }, rows }: Inside): boolean {
  return active === normal && active.scrollTop === 0 && active.scrollBottom === rows - 1;
}
