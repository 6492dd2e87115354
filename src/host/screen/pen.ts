import { backgroundAt, extendedAt, foregroundAt } from "./cells.ts";
import type { Inside, Line } from "./internals.ts";
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

/** The style of a cell. */
export const styleAt = (line: Line, column: number): Style =>
  styleOf(foregroundAt(line, column), backgroundAt(line, column), extendedAt(line, column));

/** The style of the characters to come. */
export function currentStyle({ _inputHandler: { _curAttrData: attributes } }: Inside): Style {
  return styleOf(attributes.fg, attributes.bg, attributes.extended);
}
