import { eastAsianWidth } from "get-east-asian-width";

/** How many cells a character takes: 0 for one that joins the character before it. */
export type CellWidth = 0 | 1 | 2;

/** Marks and format characters have no cell of their own. */
const JOINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** A format character that does have one: where a word may be broken. */
const SOFT_HYPHEN = 0xad;

const PAGE_BITS = 8;
const PAGE_SIZE = 1 << PAGE_BITS;

/** Made on demand, for what stands on them is asked again and again. */
const pages = new Map<number, Uint8Array>();

/** The cells of a character that is no control, as terminals without grapheme clusters count them. */
export function cellWidth(code: number): CellWidth {
  const number = code >> PAGE_BITS;
  let page = pages.get(number);
  if (page === undefined) {
    page = Uint8Array.from({ length: PAGE_SIZE }, (_, index) =>
      measure(number * PAGE_SIZE + index),
    );
    pages.set(number, page);
  }
  const width = page[code & (PAGE_SIZE - 1)];
  return width === 0 || width === 2 ? width : 1;
}

function measure(code: number): CellWidth {
  if (code === SOFT_HYPHEN) return 1;
  // Vowels and finals of Hangul join the consonant before them.
  if (code >= 0x1160 && code <= 0x11ff) return 0;
  return JOINING.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code);
}
