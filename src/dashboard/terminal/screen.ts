import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { InOrder } from "./in-order.ts";
import { asksForLink, linkTarget, openLink } from "./links.ts";
import { afterRest } from "./rest.ts";
import { foundColours, themeOf } from "./theme.ts";

const SCROLLBACK_LINES = 5_000;

/** The element of the page that says how the terminal is left by keys. */
const LEAVE_HINT = "leave-hint";

/** What a screen tells. */
export interface ScreenEvents {
  /** What is typed, as bytes. */
  typed(bytes: Uint8Array): void;
  bell(): void;
  /** The link under the pointer, and that it opens with a key; `undefined`: there is none. */
  hovered(target: string | undefined): void;
  /** Which of how many places that were found is shown, counted from 0. */
  found(which: number, count: number): void;
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
  readonly #output: InOrder;

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
      // Programs choose colours for a ground that they do not know.
      minimumContrastRatio: 4.5,
      linkHandler: { activate, hover: (_, text) => hovered(text), leave },
    });
    const terminal = this.#terminal;
    this.#output = new InOrder(terminal, afterRest);
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
    this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      events.found(resultIndex, resultCount),
    );
    terminal.textarea?.setAttribute("aria-describedby", LEAVE_HINT);
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
    this.#output.write(bytes, shown);
  }

  /** Forgets everything: it comes anew. */
  reset(): void {
    this.#output.anew(() => this.#terminal.reset());
  }

  /** Of what comes from now on. */
  resize(cols: number, rows: number): void {
    this.#output.act(() => {
      const isOther = cols !== this.#terminal.cols || rows !== this.#terminal.rows;
      if (isOther) this.#terminal.resize(cols, rows);
    });
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
    const how = { ...options, decorations: foundColours() };
    return direction === "next"
      ? this.#search.findNext(text, how)
      : this.#search.findPrevious(text, how);
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

  /** By WebGL where a graphics card does it; else, and once it is lost, by elements. */
  #drawFast(): void {
    if (!hasGraphicsCard()) return;
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.#terminal.loadAddon(webgl);
    } catch {
      // It is drawn by elements.
    }
  }
}

/** Whether WebGL is more than a program that imitates it, which takes the processor from the page: a flood then holds it up for
 * a fifth of a second at a time. */
function hasGraphicsCard(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
