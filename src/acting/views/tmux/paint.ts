import { Canvas } from "./canvas.ts";
import type { Look } from "./look.ts";
import { modeSequences, RESET } from "./modes.ts";
import { EMPTY, type Row } from "./row.ts";
import type { Scene } from "./scene.ts";

/** What a viewer's terminal shows. */
export interface Shown {
  readonly scene: Scene;
  /** The rows of its main screen. */
  readonly main: readonly Row[];
}

export interface Paint {
  /** Empty where the terminal shows it already. */
  readonly text: string;
  readonly shown: Shown;
  /** How many lines went by that nobody saw, and about how many characters that is. Absent where it is none. */
  readonly skipped?: number;
}

/** How many lines of the history come with the first screen, at most, and how much of them, in UTF-16 units: they come
 * before it. */
export const HISTORY_LINES = 300;
const HISTORY_UNITS = 96 * 1024;

/** Nothing shows before all of it is there. What a terminal takes for wider than tmux does stays in its row. */
const BEGIN = "\x1b[?2026h\x1b[?25l\x1b[?7l";
const END = "\x1b[?2026l";

/** Brings a terminal from what it shows to what a pane shows. `before`: absent where nobody knows what it shows. */
export function paint(before: Shown | undefined, scene: Scene): Paint {
  // Other lines have passed where nothing can be gone on from.
  if (before?.scene.passed === scene.passed) return paintChange(before, scene);
  return paintWhole(scene);
}

function paintWhole(scene: Scene): Paint {
  const { look, passed } = scene;
  const canvas = new Canvas(
    look.screen.map(() => EMPTY),
    undefined,
  );
  canvas.scroll(shortened(passed.last(HISTORY_LINES)), mainOf(look));
  const main = showScreen(canvas, look);
  const text = RESET + BEGIN + canvas.text + modeSequences(undefined, look) + cursorIn(look) + END;
  return { text, shown: { scene, main } };
}

function paintChange(before: Shown, scene: Scene): Paint {
  const { look: old, end: from } = before.scene;
  const { look, passed } = scene;
  const canvas = new Canvas(before.main, old.isAlternate ? old.screen : undefined);
  const missed = Math.max(0, passed.start - from);
  const lines = passed.since(from);
  // What was on the screen has gone by too, whatever came between.
  canvas.scroll(missed === 0 ? lines : [...finished(before.main, old), ...lines], mainOf(look));
  const main = showScreen(canvas, look);
  const modes = modeSequences(old, look);
  const isSame = canvas.text === "" && modes === "" && cursorIn(old) === cursorIn(look);
  return {
    text: isSame ? "" : BEGIN + canvas.text + modes + cursorIn(look) + END,
    shown: { scene, main },
    ...(missed === 0
      ? {}
      : { skipped: Math.ceil(missed * meanLength([...lines, ...look.screen])) }),
  };
}

function showScreen(canvas: Canvas, look: Look): readonly Row[] {
  canvas.take(look.isAlternate);
  canvas.show(look.screen);
  return canvas.main;
}

/** What tmux shows of the main screen; nobody knows it while there is another one before it. */
const mainOf = ({ isAlternate, screen }: Look): readonly Row[] => (isAlternate ? [] : screen);

function shortened(lines: readonly Row[]): readonly Row[] {
  let units = 0;
  let first = lines.length;
  for (; first > 0; first -= 1) {
    units += lines[first - 1]?.bytes.length ?? 0;
    if (units > HISTORY_UNITS) break;
  }
  return lines.slice(first);
}

/** The rows before the cursor's: how that one went on nobody has seen. */
const finished = (rows: readonly Row[], { cursor, isAlternate }: Look): readonly Row[] => {
  const end = rows.findLastIndex(({ bytes }) => bytes !== "") + 1;
  return rows.slice(0, isAlternate ? end : Math.min(end, cursor.y));
};

/** In characters, the end of the line among them. */
const meanLength = (rows: readonly Row[]): number =>
  1 + rows.reduce((sum, { bytes }) => sum + bytes.length, 0) / rows.length;

/** Puts the cursor in its place. One that waits behind the last column gets there only by writing that column. */
function cursorIn({ cursor: { x, y, isVisible }, cols, screen }: Look): string {
  const row = screen[y] ?? EMPTY;
  const last = row.width < cols ? { bytes: " ", width: 1 } : row.last;
  const place =
    x >= cols && last !== undefined
      ? `\x1b[${y + 1};${cols - last.width + 1}H${last.bytes}`
      : `\x1b[${y + 1};${Math.min(x, cols - 1) + 1}H`;
  return `\x1b[?7h${place}${isVisible ? "\x1b[?25h" : ""}`;
}
