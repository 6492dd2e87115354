/** The end of a text, and how much was left out before it, in UTF-16 units. */
export interface TextEnd {
  readonly text: string;
  readonly left: number;
}

/** The most that one UTF-16 unit takes in JSON, in bytes: a control character, as an escape sequence. */
const MOST_BYTES = 6;

/** The end of a text that takes at most so many bytes as a string of JSON, its quotes not counted. It begins with a line
 * where there are several. */
export function endWithin(text: string, bytes: number): TextEnd {
  if (text.length * MOST_BYTES <= bytes) return { text, left: 0 };
  let begin = text.length;
  let taken = 0;
  while (begin > 0) {
    const isPair = begin > 1 && isLow(text, begin - 1) && isHigh(text, begin - 2);
    taken += isPair ? 4 : bytesOf(text.charCodeAt(begin - 1));
    if (taken > bytes) break;
    begin -= isPair ? 2 : 1;
  }
  if (begin === 0) return { text, left: 0 };
  const newline = text.indexOf("\n", begin - 1);
  const left = newline < 0 || newline === text.length - 1 ? begin : newline + 1;
  return { text: text.slice(left), left };
}

const isHigh = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** What has an escape sequence of one letter: \b, \t, \n, \f, \r, the quote and the backslash. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13, 34, 92]);

/** What a unit takes that is none of a pair; half a pair is written as an escape sequence. */
function bytesOf(unit: number): number {
  if (SHORT_ESCAPES.has(unit)) return 2;
  if (unit < 0x20 || (unit & 0xf800) === 0xd800) return MOST_BYTES;
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
