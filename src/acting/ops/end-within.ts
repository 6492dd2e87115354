/** The end of a text, and how much was left out before it, in UTF-16 units. */
export interface TextEnd {
  readonly text: string;
  readonly left: number;
}

/** The most that one UTF-16 unit takes in JSON, in bytes: a control character, as an escape sequence. */
const MOST_BYTES = 6;

/** How much is measured at once, in UTF-16 units: fewer are slower, more are more to search where the bound lies in
 * them. */
const PIECE = 8_192;

/** The end of a text that takes at most so many bytes as a string of JSON, its quotes not counted. It begins with a line
 * where there are several. */
export function endWithin(text: string, bytes: number): TextEnd {
  if (text.length * MOST_BYTES <= bytes) return { text, left: 0 };
  const begin = beginWithin(text, bytes);
  if (begin === 0) return { text, left: 0 };
  const newline = text.indexOf("\n", begin - 1);
  const left = newline < 0 || newline === text.length - 1 ? begin : newline + 1;
  return { text: text.slice(left), left };
}

/** Where the longest end begins that takes no more. Whole pieces first, then the halves of the one that is too much. */
function beginWithin(text: string, bytes: number): number {
  let begin = text.length;
  let room = bytes;
  let piece = PIECE;
  while (begin > 0 && piece > 0) {
    const from = betweenCharacters(text, Math.max(0, begin - piece), begin);
    const taken = from === begin ? 0 : bytesInJson(text.slice(from, begin));
    if (taken > room) piece = Math.floor(piece / 2);
    else if (from === begin) {
      // A pair is two units, and no half of it fits.
      break;
    } else {
      room -= taken;
      begin = from;
    }
  }
  return begin;
}

const bytesInJson = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** The place, or the one after it where that is within a pair. */
function betweenCharacters(text: string, at: number, end: number): number {
  const isWithin =
    at > 0 &&
    at < end &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isWithin ? at + 1 : at;
}
