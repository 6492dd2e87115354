import { heedOsc } from "./bounded-string.ts";
import { extendedAt } from "./cells.ts";
import type { Inside } from "./internals.ts";
import { LINK_CHARACTERS, LINKS } from "./limits.ts";

/** A link as the program gave it: `id` says which pieces belong together. */
export interface Link {
  readonly id: string | undefined;
  readonly uri: string;
}

/** The links of a screen, by the number that their cells bear. xterm.js keeps a watched marker for each row of each
 * link, which programs could make as many as they like; numbers and a bound do as well. */
export class Links {
  readonly #byNumber = new Map<number, Link>();
  readonly #numbers = new Map<string, number>();
  readonly #inside: () => Inside;
  #next = 1;

  constructor(inside: () => Inside) {
    this.#inside = inside;
  }

  /** Takes the sequence over from a terminal's parser. */
  attach(inside: Inside): void {
    heedOsc(inside._inputHandler._parser, 8, (payload) => this.#open(inside, payload));
  }

  get(number: number): Link | undefined {
    return this.#byNumber.get(number);
  }

  #open(inside: Inside, payload: string): void {
    const split = payload.indexOf(";");
    if (split < 0) return;
    const id = payload
      .slice(0, split)
      .split(":")
      .find((part) => part.startsWith("id="))
      ?.slice(3);
    const uri = payload.slice(split + 1);
    const attributes = inside._inputHandler._curAttrData;
    attributes.extended = attributes.extended.clone();
    attributes.extended.urlId = uri === "" ? 0 : this.#number({ id: id || undefined, uri });
    attributes.updateExtended();
  }

  /** 0, which is no link, for one that is too long or too many. */
  #number(link: Link): number {
    if (link.uri.length + (link.id?.length ?? 0) > LINK_CHARACTERS) return 0;
    const key = `${link.id ?? ""};${link.uri}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#byNumber.size >= LINKS && !this.#sweep()) return 0;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(key, number);
    this.#byNumber.set(number, link);
    return number;
  }

  /** Forgets links that no cell bears any more. Whether there is room then; with none, the next search has to wait for
   * a quarter of them to go, or each new link would cost a look at every cell. */
  #sweep(): boolean {
    if (this.#refused > 0) {
      this.#refused -= 1;
      return false;
    }
    const used = new Set<number>();
    const { buffers } = this.#inside();
    for (const { lines } of [buffers.normal, buffers.alt]) {
      for (let row = 0; row < lines.length; row += 1) {
        const line = lines.get(row);
        for (const column of Object.keys(line?._extendedAttrs ?? {})) {
          const number = line && extendedAt(line, Number(column))?.urlId;
          if (number) used.add(number);
        }
      }
    }
    for (const [key, number] of this.#numbers) {
      if (used.has(number)) continue;
      this.#numbers.delete(key);
      this.#byNumber.delete(number);
    }
    const isRoom = this.#byNumber.size <= LINKS / 2;
    if (!isRoom) this.#refused = LINKS / 4;
    return this.#byNumber.size < LINKS;
  }

  #refused = 0;
}
