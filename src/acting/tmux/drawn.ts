/** What letters stand for between SO and SI: the set of special graphics of the VT100, from \` to ~. */
const LINE_DRAWING = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";
const FIRST = "`";

/** Sequences that tmux writes into a capture: attributes and links. */
const SEQUENCES = /\x1b\[[\d;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;

const PARTS = new RegExp(`${SEQUENCES.source}|[\\s\\S]`, "gu");

/** Puts in what tmux states as letters of another character set. */
export function withoutLineDrawing(text: string): string {
  if (!text.includes("\x0e")) return text;
  let isDrawing = false;
  let drawn = "";
  for (const [part] of text.matchAll(PARTS)) {
    if (part === "\x0e" || part === "\x0f") isDrawing = part === "\x0e";
    else drawn += isDrawing ? drawnCharacter(part) : part;
  }
  return drawn;
}

/** What a character stands for between SO and SI. */
export const drawnCharacter = (character: string): string =>
  LINE_DRAWING[character.charCodeAt(0) - FIRST.charCodeAt(0)] ?? character;

/** The text alone. */
export const withoutSequences = (text: string): string => text.replaceAll(SEQUENCES, "");
