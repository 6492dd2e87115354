import { Unicode11Addon } from "@xterm/addon-unicode11/lib/addon-unicode11.mjs";
import type { Terminal } from "@xterm/headless";
import { Terminal as Headless } from "@xterm/headless/lib-headless/xterm-headless.mjs";
import { Titles } from "../vt/titles.ts";
import { attachAnswers, schemeReport } from "./answers.ts";
import { type CellScreen, cellScreen } from "./cell-screen.ts";
import { learnCharsets } from "./charsets.ts";
import { FurtherModes } from "./further-modes.ts";
import { guard } from "./guards.ts";
import { hearTitles } from "./hear-titles.ts";
import { type Inside, insideOf } from "./internals.ts";
import { ANSWER_CHARACTERS, HISTORY_CELLS, HISTORY_SLICE_LINES } from "./limits.ts";
import { Links } from "./links.ts";
import { OpenSequence } from "./open-sequence.ts";
import { paint } from "./paint.ts";
import { Palette } from "./palette.ts";
import { resize } from "./resize.ts";
import type { Capture, CaptureOptions, Snapshot } from "./shown.ts";
import { scrollsWhole, skim } from "./skim.ts";
import { textLines } from "./text-lines.ts";
import type { Theme } from "./theme.ts";

export interface ModelOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the screen. */
  readonly scrollback: number;
  readonly theme: Theme;
  /** The size of a character in pixels, for programs that ask. */
  readonly cell: { readonly width: number; readonly height: number };
  /** Of termtopic, for programs that ask which terminal this is. */
  readonly version: string;
  /** How many bytes were fed to what this takes the place of and are not fed again. */
  readonly fed: number;
}

/** A terminal as both its parts: live, with rows and a parser; or frozen, as the bytes that make it so. */
interface Live {
  readonly terminal: Terminal;
  readonly inside: Inside;
}

const encoder = new TextEncoder();

/** What one terminal shows, from the bytes that its program wrote. */
export class Model {
  readonly #options: ModelOptions;
  readonly #modes = new FurtherModes();
  readonly #links: Links;
  readonly #palette: Palette;
  readonly #open = new OpenSequence();
  #size: { cols: number; rows: number };
  #theme: Theme;
  #titles = new Titles();
  #state: Live | Uint8Array;
  #fed: number;
  /** Whether what is parsed was answered already, or asks for nothing. */
  #isPast = false;
  #answers = "";

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#size = { cols: options.cols, rows: options.rows };
    this.#theme = options.theme;
    this.#fed = options.fed;
    this.#links = new Links(() => this.#live().inside);
    const answer = (text: string) => this.#answer(text);
    this.#palette = new Palette(() => this.#theme, answer);
    this.#state = this.#create();
  }

  /** Parses output. What is past was answered by another screen, or before. */
  feed(bytes: Uint8Array, isPast: boolean): void {
    const { inside } = this.#live();
    this.#isPast = isPast;
    this.#parse(inside, bytes);
    this.#fed += bytes.length;
  }

  /** Takes the front of output unparsed, as far as nothing of it is left once the rest has been parsed, and `least` bytes at
   * least. Answers how many. */
  skim(bytes: Uint8Array, least: number): number {
    const { inside } = this.#live();
    if (!this.#open.isNone || !scrollsWhole(inside)) return 0;
    // Those that are there and those that follow are to leave both the screen and the history.
    const lines = this.#scrollback(inside.cols) + 2 * inside.rows;
    const skimmed = skim(bytes, { lines, least });
    if (skimmed === undefined) return 0;
    this.#parse(inside, skimmed.styles);
    this.#fed += skimmed.bytes;
    return skimmed.bytes;
  }

  /** Answers to what was asked since the last time, for the program to read. */
  takeAnswers(): string {
    const answers = this.#answers;
    this.#answers = "";
    return answers;
  }

  get title(): string {
    return this.#titles.title;
  }

  /** The terminal's inside and its links, for tests to hold against another terminal's. */
  get inside(): Inside {
    return this.#live().inside;
  }

  get links(): Links {
    return this.#links;
  }

  get isFrozen(): boolean {
    return this.#state instanceof Uint8Array;
  }

  resize(cols: number, rows: number): void {
    const { terminal, inside } = this.#live();
    try {
      terminal.options.scrollback = this.#scrollback(cols);
      resize(terminal, inside, cols, rows);
      this.#size = { cols, rows };
    } catch {
      // What the parser's own library leaves after an error is read once more, into a terminal that is whole.
      this.#size = { cols, rows };
      this.#rebuild(inside);
    }
  }

  /** Takes other colours, and tells a program that asked to be told. */
  setTheme(theme: Theme): void {
    const isOther = theme.scheme !== this.#theme.scheme;
    this.#theme = theme;
    this.#isPast = false;
    if (isOther && this.#modes.reportsScheme) this.#answer(schemeReport(theme));
  }

  /** The screen, after so many lines of history. */
  snapshot(history: number): Snapshot {
    const { inside } = this.#live();
    return { bytes: this.#paint(inside, history), end: this.#fed };
  }

  /** `count` lines of history that end `from` lines above the screen, as text with colours and links; a line that the
   * width broke is whole. */
  history(from: number, count: number): Uint8Array<ArrayBuffer> {
    const { buffers, cols } = this.#live().inside;
    const { normal } = buffers;
    const end = Math.max(0, normal.ybase - Math.max(0, from));
    const first = Math.max(0, end - Math.min(count, HISTORY_SLICE_LINES));
    const options = { cols, escapes: true, joinWrapped: true, links: this.#links };
    const lines = textLines(normal, first, end, options);
    return encoder.encode(lines.map((line) => `${line}\r\n`).join(""));
  }

  capture({ scrollback, escapes = false, joinWrapped = false }: CaptureOptions): Capture {
    const { inside } = this.#live();
    const { active, alt } = inside.buffers;
    const alternate = active === alt;
    const first = alternate ? active.ybase : Math.max(0, active.ybase - Math.max(0, scrollback));
    const end = active.ybase + inside.rows;
    const lines = textLines(active, first, end, { cols: inside.cols, escapes, joinWrapped });
    return { text: lines.join("\n").replace(/\n+$/, ""), alternate };
  }

  cells(maxBytes: number): CellScreen {
    return cellScreen(this.#live().inside, this.#modes, maxBytes);
  }

  /** Keeps no more than the bytes that make another terminal this one. The next use makes it. */
  freeze(): void {
    if (this.#state instanceof Uint8Array) return;
    const { terminal, inside } = this.#state;
    const bytes = this.#paint(inside, this.#options.scrollback);
    terminal.dispose();
    this.#state = bytes;
  }

  dispose(): void {
    if (!(this.#state instanceof Uint8Array)) this.#state.terminal.dispose();
    this.#state = new Uint8Array(0);
  }

  #live(): Live {
    if (!(this.#state instanceof Uint8Array)) return this.#state;
    const bytes = this.#state;
    const live = this.#create();
    this.#state = live;
    this.#isPast = true;
    // The bytes put them aside again.
    if (bytes.length > 0) this.#titles = new Titles();
    this.#parse(live.inside, bytes);
    return live;
  }

  #scrollback(cols: number): number {
    return Math.min(this.#options.scrollback, Math.floor(HISTORY_CELLS / cols));
  }

  #create(): Live {
    const { cols, rows } = this.#size;
    const terminal = new Headless({
      cols,
      rows,
      scrollback: this.#scrollback(cols),
      allowProposedApi: true,
      logLevel: "off",
      reflowCursorLine: true,
    });
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = "11";
    // What xterm.js answers itself.
    terminal.onData((text) => this.#answer(text));
    const inside = insideOf(terminal);
    learnCharsets(inside);
    this.#attach(inside);
    return { terminal, inside };
  }

  #attach(inside: Inside): void {
    const answer = (text: string) => this.#answer(text);
    attachAnswers(inside, {
      version: this.#options.version,
      cell: this.#options.cell,
      modes: this.#modes,
      theme: () => this.#theme,
      answer,
    });
    this.#modes.attach(inside);
    this.#palette.attach(inside);
    this.#links.attach(inside);
    hearTitles(inside, () => this.#titles);
    guard(inside);
  }

  #parse(inside: Inside, bytes: Uint8Array): void {
    try {
      inside._inputHandler.parse(bytes);
    } catch {
      // Errors of handlers are caught where they happen. After any other the parser begins anew.
      inside._inputHandler._parser.reset();
      inside._inputHandler._utf8Decoder.clear();
    }
    this.#open.after(bytes, inside);
  }

  #paint(inside: Inside, history: number): Uint8Array<ArrayBuffer> {
    const painted = {
      inside,
      links: this.#links,
      palette: this.#palette,
      modes: this.#modes,
      titles: this.#titles,
    };
    const text = encoder.encode(paint(painted, history));
    const rest = this.#open.bytes;
    if (rest.length === 0) return text;
    const bytes = new Uint8Array(text.length + rest.length);
    bytes.set(text);
    bytes.set(rest, text.length);
    return bytes;
  }

  #rebuild(broken: Inside): void {
    let bytes: Uint8Array = new Uint8Array(0);
    try {
      bytes = this.#paint(broken, this.#options.scrollback);
    } catch {
      // Nothing of it can be read: the screen begins empty, and the program draws it again after a change of size.
    }
    this.#state = bytes;
    this.#live();
  }

  #answer(text: string): void {
    if (this.#isPast || this.#answers.length + text.length > ANSWER_CHARACTERS) return;
    this.#answers += text;
  }
}
