/** Controls (C0, DEL, C1), line and paragraph separators, and those that turn the direction of text:
 * on a terminal they could move the cursor, change its state, or hide what stands beside them. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from a stranger, fit to be printed within a line: each run of controls is one space. */
export function clean(text: string): string {
  return text.toWellFormed().replace(CONTROLS, " ");
}

/** JSON of one line that is safe to print on a terminal: JSON leaves DEL and C1 as they are, so they are
 * escaped. It parses to the same value. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeUnit)}\n`;
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const PRINTABLE_ASCII = /^[ -~]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** What takes two cells: Unicode's East Asian Wide and Fullwidth blocks, and emoji, also those that a
 * variation selector makes one. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character each, with how many cells of a terminal it takes. */
function* graphemes(text: string): Generator<{ readonly text: string; readonly width: number }> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) {
    const width = WIDE.test(segment) ? 2 : ZERO_WIDTH.test(segment) ? 0 : 1;
    yield { text: segment, width };
  }
}

/** How many cells of a terminal a clean text takes. */
export function cells(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += grapheme.width;
  return width;
}

const ELLIPSIS = "…";

/** Cuts a clean text to at most so many cells; what is missing at its start or end is an ellipsis. */
export function cut(text: string, width: number, missing: "start" | "end" = "end"): string {
  if (cells(text) <= width) return text;
  if (width < 1) return "";
  const parts = [...graphemes(text)];
  if (missing === "start") parts.reverse();
  const kept: string[] = [];
  let left = width - 1;
  for (const part of parts) {
    if (part.width > left) break;
    left -= part.width;
    kept.push(part.text);
  }
  return missing === "start" ? ELLIPSIS + kept.reverse().join("") : kept.join("") + ELLIPSIS;
}
