/** What the bytes from `` ` `` to `~` show in the set of line drawing (VT100, "special graphics"). */
const SHOWN = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

const FIRST = 0x60;

/** Printable ASCII as it shows while line drawing is on. */
export function inGraphics(text: string): string {
  return text.replace(/[`-~]/g, (character) => SHOWN[character.charCodeAt(0) - FIRST] ?? character);
}
