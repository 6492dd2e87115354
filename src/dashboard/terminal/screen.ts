import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { asksForLink, linkTarget, openLink } from "./links.ts";
import { themeOf } from "./theme.ts";

export const SCROLLBACK_LINES = 5_000;

/** What a screen tells. */
export interface ScreenEvents {
  /** What is typed, as bytes. */
  typed(bytes: Uint8Array): void;
  bell(): void;
  /** The link under the pointer, and that it opens with a key; `undefined`: there is none. */
  hovered(target: string | undefined): void;
}

export interface FindOptions {
  readonly caseSensitive: boolean;
  readonly regex: boolean;
}

const encoder = new TextEncoder();

/** A terminal as it is drawn. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();

  constructor(element: HTMLElement, fontSize: number, events: ScreenEvents) {
    const hovered = (text: string) => events.hovered(linkTarget(text));
    const leave = () => events.hovered(undefined);
    const activate = (event: MouseEvent, text: string) => {
      if (asksForLink(event)) openLink(text);
    };
    this.#terminal = new Terminal({
      allowProposedApi: true,
      fontSize,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--mono"),
      scrollback: SCROLLBACK_LINES,
      theme: themeOf(),
      cursorBlink: false,
      linkHandler: { activate, hover: (_, text) => hovered(text), leave },
    });
    const terminal = this.#terminal;
    terminal.loadAddon(new Unicode11Addon());
    // The widths that the host counts with.
    terminal.unicode.activeVersion = "11";
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(this.#search);
    terminal.loadAddon(new WebLinksAddon(activate, { hover: (_, text) => hovered(text), leave }));
    // What a program answers to is the host's to say, and its commands for the clipboard are nobody's.
    terminal.parser.registerOscHandler(52, () => true);
    terminal.open(element);
    this.#drawFast();
    terminal.onData((text) => events.typed(encoder.encode(text)));
    terminal.onBinary((text) => events.typed(Uint8Array.from(text, (one) => one.charCodeAt(0))));
    terminal.onBell(() => events.bell());
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** Whether the program asked to be told what is pasted. */
  get isBracketed(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** What is selected; empty where nothing is. */
  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** `shown` is called once it has been parsed. */
  write(bytes: Uint8Array, shown: () => void): void {
    this.#terminal.write(bytes, shown);
  }

  /** Forgets everything, and what was on its way to be parsed comes first. */
  reset(): void {
    this.#terminal.write("", () => this.#terminal.reset());
  }

  resize(cols: number, rows: number): void {
    if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) {
      this.#terminal.resize(cols, rows);
    }
  }

  /** The size that fills its place; `undefined` where that has none yet. */
  fitting(): { readonly cols: number; readonly rows: number } | undefined {
    const size = this.#fit.proposeDimensions();
    if (size === undefined || !(size.cols > 1) || !(size.rows > 1)) return undefined;
    return size;
  }

  paste(text: string): void {
    this.#terminal.paste(text);
  }

  find(text: string, direction: "next" | "previous", options: FindOptions): boolean {
    return direction === "next"
      ? this.#search.findNext(text, { ...options })
      : this.#search.findPrevious(text, { ...options });
  }

  endFind(): void {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** Keys that are the page's own are left to it: the handler answers whether a key is the terminal's. */
  onKey(isTerminals: (event: KeyboardEvent) => boolean): void {
    this.#terminal.attachCustomKeyEventHandler(isTerminals);
  }

  set fontSize(pixels: number) {
    this.#terminal.options.fontSize = pixels;
  }

  set isHeard(isHeard: boolean) {
    this.#terminal.options.screenReaderMode = isHeard;
  }

  set isReadOnly(isReadOnly: boolean) {
    this.#terminal.options.disableStdin = isReadOnly;
  }

  /** Takes the colours of the page. */
  recolour(): void {
    this.#terminal.options.theme = themeOf();
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** By WebGL where there is one; else, and once it is lost, by elements. */
  #drawFast(): void {
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.#terminal.loadAddon(webgl);
    } catch {
      // It is drawn by elements.
    }
  }
}
