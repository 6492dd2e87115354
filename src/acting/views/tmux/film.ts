import type { Pane } from "../../tmux/pane.ts";
import { growthBetween } from "./growth.ts";
import { type Depth, type Look, lookAt } from "./look.ts";
import { HISTORY_LINES } from "./paint.ts";
import { KEPT_LINES, PassedLines } from "./passed.ts";
import type { Row } from "./row.ts";
import { RowReader } from "./row-reader.ts";
import type { Scene } from "./scene.ts";

/** How many lines of the history are looked at in a pane of which few pass, and in one of which more pass than are looked
 * at at all. */
const FEW_LINES = 64;
const FLOOD_LINES = 100;

/** What a pane has shown in one look after the other. One look at a time. */
export class Film {
  readonly #pane: Pane;
  readonly #signal: AbortSignal;
  readonly #reader = new RowReader();
  #scene: Scene | undefined;
  /** How many lines of the history the next look is to see where there are more of them. */
  #depth = FEW_LINES;
  /** Whether more passed before the last look than could be seen. */
  #isFlood = false;

  constructor(pane: Pane, signal: AbortSignal) {
    this.#pane = pane;
    this.#signal = signal;
  }

  get scene(): Scene | undefined {
    return this.#scene;
  }

  /** Looks again. The scene before where nothing has changed. Rejects with an `ActingError`. */
  async take(): Promise<Scene> {
    const before = this.#scene;
    if (before === undefined) return this.#begin(await this.#lookAt({ lines: HISTORY_LINES }));
    let look = await this.#lookAt({ unlessAs: before.look, lines: this.#depth });
    if (!isSameSize(before.look, look)) {
      return this.#begin(await this.#lookAt({ lines: HISTORY_LINES }));
    }
    let growth = growthBetween(before.look, look);
    if (growth === "unknown" && !this.#isFlood) {
      look = await this.#lookAt({ lines: KEPT_LINES });
      if (!isSameSize(before.look, look)) return this.#begin(look);
      growth = growthBetween(before.look, look);
    }
    if (growth === "cleared") return this.#begin(look);
    return this.#goOn(before, look, growth);
  }

  #lookAt(depth: Depth): Promise<Look> {
    return lookAt(this.#pane, this.#reader, depth, this.#signal);
  }

  /** Nothing of what was shown before can be gone on from: it was of another size, or had a history that was taken away. */
  #begin(look: Look): Scene {
    const passed = new PassedLines();
    passed.add(look.history);
    return this.#keep(look, passed);
  }

  #goOn(before: Scene, look: Look, growth: number | "unknown"): Scene {
    const { passed } = before;
    this.#isFlood = growth === "unknown";
    if (growth === "unknown") {
      const came = look.historySize - before.look.historySize;
      const last = look.history.slice(-FLOOD_LINES);
      passed.miss(Math.max(1, came - last.length));
      passed.add(last);
      this.#depth = FLOOD_LINES;
    } else {
      const few = Math.max(FEW_LINES, growth === 0 ? this.#depth / 2 : growth * 2);
      this.#depth = Math.min(Math.ceil(few), KEPT_LINES);
      if (growth === 0 && isSameLook(before.look, look)) return before;
      passed.add(look.history.slice(look.history.length - growth));
    }
    return this.#keep(look, passed);
  }

  #keep(look: Look, passed: PassedLines): Scene {
    this.#scene = { look, passed, end: passed.end };
    return this.#scene;
  }
}

const isSameSize = (a: Look, b: Look) => a.cols === b.cols && a.rows === b.rows;

/** Whether two looks saw the same, whatever they looked at of the history. */
function isSameLook(a: Look, b: Look): boolean {
  return (
    isSame({ ...a, screen: [], history: [] }, { ...b, screen: [], history: [] }) &&
    isSameRows(a.screen, b.screen)
  );
}

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

const isSameRows = (a: readonly Row[], b: readonly Row[]) =>
  a.every((row, index) => row.bytes === b[index]?.bytes);
