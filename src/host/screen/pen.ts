import { backgroundAt, extendedAt, foregroundAt } from "./cells.ts";
import type { Extended, Inside, Line } from "./internals.ts";
import { LINK_CHARACTERS, PAINTED_LINK_CHARACTERS } from "./limits.ts";
import type { Links } from "./links.ts";
import { PLAIN, type Style, sameStyle, sgr, styleOf } from "./style.ts";

const CONTROLS = /[\x00-\x1f\x7f-\x9f]/g;

/** Writes text and sequences, and knows which style and link the characters to come have. */
export class Pen {
  readonly #links: Links | undefined;
  #parts: string[] = [];
  #style: Style = PLAIN;
  #linkCharacters = 0;

  /** Without links their text is written alone. */
  constructor(links?: Links) {
    this.#links = links;
  }

  write(text: string): void {
    this.#parts.push(text);
  }

  get style(): Style {
    return this.#style;
  }

  /** Changes style and link to those of the text to come. */
  use(style: Style): void {
    if (style === this.#style || sameStyle(style, this.#style)) return;
    if (style.link !== this.#style.link) this.#link(style.link);
    this.#parts.push(sgr(this.#style, style));
    this.#style = style;
  }

  /** States the style again, which also ends what a character to come could join. */
  restate(): void {
    this.#parts.push(sgr(PLAIN, this.#style) || "\x1b[m");
  }

  text(): string {
    return this.#parts.join("");
  }

  #link(number: number): void {
    const link = number === 0 ? undefined : this.#links?.get(number);
    const isAffordable = this.#linkCharacters < PAINTED_LINK_CHARACTERS;
    if (!link || !isAffordable) {
      if (this.#links) this.#parts.push("\x1b]8;;\x1b\\");
      return;
    }
    this.#linkCharacters += Math.min(link.uri.length, LINK_CHARACTERS);
    const id = link.id === undefined ? "" : `id=${link.id.replace(CONTROLS, "")}`;
    this.#parts.push(`\x1b]8;${id};${link.uri.replace(CONTROLS, "")}\x1b\\`);
  }
}

let lastForeground = 0;
let lastBackground = 0;
let lastExtended: Extended | undefined;
let lastStyle = PLAIN;

/** The style of a cell: the same object as for the last cell that was asked about, where that looks the same, as most
 * do. */
export function styleAt(line: Line, column: number): Style {
  const foreground = foregroundAt(line, column);
  const background = backgroundAt(line, column);
  const extended = extendedAt(line, column);
  const isLast =
    foreground === lastForeground &&
    background === lastBackground &&
    // What an extension says can change in place while it is the next character's.
    extended === undefined &&
    lastExtended === undefined;
  if (isLast) return lastStyle;
  lastForeground = foreground;
  lastBackground = background;
  lastExtended = extended;
  const style = styleOf(foreground, background, extended);
  // The colour of a line that is not there: the next character may yet have the line, this one will not.
  const isIdle = style.underline === 0 && style.underlineColour !== 0;
  lastStyle = isIdle ? { ...style, underlineColour: 0 } : style;
  return lastStyle;
}

/** The style of the characters to come. */
export function currentStyle({ _inputHandler: { _curAttrData: attributes } }: Inside): Style {
  return styleOf(attributes.fg, attributes.bg, attributes.extended);
}
