import type { CellModes, CellScreen } from "../screen/cell-screen.ts";
import type { Screen } from "../screen/screen.ts";
import type { Capture, CaptureOptions } from "../screen/shown.ts";
import type { Theme } from "../screen/theme.ts";
import type { Pane } from "./pane.ts";
import { type Flags, type Picture, takePicture } from "./picture.ts";

/** The screen of a session. What it shows is asked of tmux, which has seen all output, also what is no longer kept; what a
 * viewer is begun with is the model's. */
export class TmuxScreen implements Screen {
  readonly #pane: Pane;
  readonly #model: Screen;
  readonly #temporary: (cols: number, rows: number) => Screen;

  constructor(pane: Pane, model: Screen, temporary: (cols: number, rows: number) => Screen) {
    this.#pane = pane;
    this.#model = model;
    this.#temporary = temporary;
  }

  get backlog(): number {
    return this.#model.backlog;
  }

  feed(bytes: Uint8Array, isPast?: boolean): void {
    this.#model.feed(bytes, isPast);
  }

  flush(): void {
    this.#model.flush();
  }

  resize(cols: number, rows: number): void {
    this.#model.resize(cols, rows);
  }

  setTheme(theme: Theme): void {
    this.#model.setTheme(theme);
  }

  snapshot(options?: { readonly history?: number }) {
    return this.#model.snapshot(options);
  }

  history(lines: { readonly from: number; readonly count: number }) {
    return this.#model.history(lines);
  }

  freeze(): Promise<void> {
    return this.#model.freeze();
  }

  dispose(): void {
    this.#model.dispose();
  }

  async capture(options: CaptureOptions): Promise<Capture> {
    const { scrollback, joinWrapped = false } = options;
    const picture = await takePicture(this.#pane, { scrollback, joinWrapped });
    // A session that is gone is as it was last seen.
    if (picture === undefined) return this.#model.capture(options);
    const { text } = await this.#shown(picture, (screen) =>
      screen.capture({ ...options, scrollback: 0 }),
    );
    return { text, alternate: picture.flags.alternate };
  }

  async cells(maxBytes: number): Promise<CellScreen> {
    const picture = await takePicture(this.#pane, { scrollback: 0, joinWrapped: false });
    if (picture === undefined) return this.#model.cells(maxBytes);
    const [shown, model] = await Promise.all([
      this.#shown(picture, (screen) => screen.cells(maxBytes)),
      // What tmux does not tell is known from the output.
      this.#model.cells(maxBytes).catch(() => undefined),
    ]);
    const { visible } = picture.flags;
    const { shape, blinking } = (model ?? shown).cursor;
    return {
      ...shown,
      cursor: { ...shown.cursor, visible, shape, blinking },
      modes: modesOf((model ?? shown).modes, picture.flags),
    };
  }

  async #shown<T>(picture: Picture, look: (screen: Screen) => Promise<T>): Promise<T> {
    const screen = this.#temporary(picture.cols, picture.rows);
    try {
      screen.feed(picture.bytes, true);
      return await look(screen);
    } finally {
      screen.dispose();
    }
  }
}

function modesOf(model: CellModes, flags: Flags): CellModes {
  return {
    ...model,
    insert: flags.insert,
    bracketed_paste: flags.bracketedPaste ?? model.bracketed_paste,
    mouse_tracking: flags.mouse,
    application_cursor_keys: flags.cursorKeys,
    application_keypad: flags.keypad,
    alternate_screen: flags.alternate,
    origin: flags.origin,
    autowrap: flags.wrap,
  };
}
