/** One line of a text that changes, with a number that it keeps while others leave above it. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** How many lines are compared to find out by how many a text went up. */
const COMPARED = 8;

/** Numbers the lines of a text by those of before: whoever reads them is told of new ones alone, where a terminal went up
 * by some lines and everything else stayed. */
export function numbered(before: readonly Line[], text: string): Line[] {
  const texts = text.split("\n");
  const gone = goneOf(before, texts);
  const first = (before[0]?.number ?? 0) + gone;
  return texts.map((line, at) => ({ number: first + at, text: line }));
}

/** How many lines of before are not there any more; all of them where nothing is the same. */
function goneOf(before: readonly Line[], texts: readonly string[]): number {
  const head = texts.slice(0, COMPARED);
  for (let gone = 0; gone < before.length; gone += 1) {
    const compared = Math.min(head.length, before.length - gone);
    if (head.slice(0, compared).every((line, at) => line === before[gone + at]?.text)) return gone;
  }
  // The same screen, written anew in part: its lines keep their places.
  return before.length === texts.length ? 0 : before.length;
}
