import type { Look } from "./look.ts";

/** How many lines went into the history of a pane between two looks at it.
 *
 * - a number: so many.
 * - `cleared`: its history was taken away.
 * - `unknown`: more than the second look saw of the history, or nobody can tell. */
export type Growth = number | "cleared" | "unknown";

/** How many of the rows that can be compared have to be where they should be. */
const ALIKE = 0.5;

/** Compares two looks at a pane of one size.
 *
 * tmux does not count the lines that pass. A history that is full loses a tenth of what it may have when the next line comes
 * (`grid_collect_history` in its `grid.c`), so that its size tells how many came but for a multiple of that; where the
 * rows of the first look are now tells which. */
export function growthBetween(before: Look, after: Look): Growth {
  const { historySize: from } = before;
  const { historySize: to, historyLimit: limit } = after;
  if (limit === 0) return 0;
  const lost = Math.max(1, Math.floor(limit / 10));
  const wasFull = to >= limit - lost;
  if (!wasFull) return to < from ? "cleared" : seen(to - from, after);
  let best: number | undefined;
  let bestShare = ALIKE;
  for (let lines = to - from; lines <= after.history.length; lines += lost) {
    // The first tenth is lost only once the history is full.
    if (lines < 0 || (lines > to - from && lines <= limit - from)) continue;
    const share = alike(before, after, lines);
    if (share === undefined) return lines;
    if (share > bestShare || (share === bestShare && best === undefined)) {
      best = lines;
      bestShare = share;
    }
  }
  return best ?? "unknown";
}

const seen = (lines: number, after: Look): Growth =>
  lines <= after.history.length ? lines : "unknown";

/** Which share of the rows of the first look is where so many more lines put it. Empty rows tell nothing, nor does that of
 * the cursor, which is still being written. `undefined` where no row tells anything. */
function alike(before: Look, after: Look, lines: number): number | undefined {
  const { history, screen: now, isAlternate } = after;
  const first = history.length - lines;
  // Of the main screen nothing was seen where there was another one before it.
  const screen = before.isAlternate ? [] : before.screen;
  let compared = 0;
  let same = 0;
  for (const [index, row] of screen.entries()) {
    const place = first + index;
    const found = place < history.length ? history[place] : now[place - history.length];
    const isOfScreen = place >= history.length;
    if (row.bytes === "" || index === before.cursor.y || (isOfScreen && isAlternate)) continue;
    compared += 1;
    if (found?.bytes === row.bytes) same += 1;
  }
  return compared === 0 ? undefined : same / compared;
}
