import { heedOsc } from "./bounded-string.ts";
import type { Inside } from "./internals.ts";
import type { Theme } from "./theme.ts";

// xterm's control sequences: OSC 4 for the numbered colours, 10 to 12 for text, ground and cursor, 104 and 110 to 112
// to take back what was set.
const SPECIAL = [10, 11, 12] as const;

/** The sixteen colours of xterm, which themes here do not name. */
const SIXTEEN = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];

/** The colours that a program changed, and the answers to those that ask. */
export class Palette {
  readonly #numbered = new Map<number, number>();
  readonly #special = new Map<number, number>();
  readonly #theme: () => Theme;
  readonly #answer: (text: string) => void;

  constructor(theme: () => Theme, answer: (text: string) => void) {
    this.#theme = theme;
    this.#answer = answer;
  }

  attach({ _inputHandler: { _parser: parser } }: Inside): void {
    heedOsc(parser, 4, (payload) => this.#numbers(payload));
    heedOsc(parser, 104, (payload) => {
      if (payload === "") this.#numbered.clear();
      for (const number of payload.split(";")) this.#numbered.delete(Number(number));
    });
    for (const code of SPECIAL) {
      heedOsc(parser, code, (payload) => this.#specials(payload, code));
      heedOsc(parser, code + 100, () => this.#special.delete(code));
    }
  }

  /** The sequences that set on another terminal what was set here. */
  paint(): string {
    let text = "";
    for (const [number, colour] of this.#numbered)
      text += `\x1b]4;${number};${spell(colour)}\x1b\\`;
    for (const [code, colour] of this.#special) text += `\x1b]${code};${spell(colour)}\x1b\\`;
    return text;
  }

  #numbers(payload: string): void {
    const parts = payload.split(";");
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const number = /^\d{1,3}$/.test(parts[at] ?? "") ? Number(parts[at]) : 256;
      const value = parts[at + 1] ?? "";
      if (number > 255) continue;
      if (value === "?") {
        const colour = this.#numbered.get(number) ?? numbered(number);
        this.#answer(`\x1b]4;${number};${spell(colour)}\x1b\\`);
        continue;
      }
      const colour = read(value);
      if (colour !== undefined) this.#numbered.set(number, colour);
    }
  }

  /** `OSC 10 ; a ; b` is about 10 and 11. */
  #specials(payload: string, first: number): void {
    for (const [at, value] of payload.split(";").entries()) {
      const code = first + at;
      if (code > 12) return;
      if (value === "?") {
        this.#answer(`\x1b]${code};${spell(this.#special.get(code) ?? this.#themed(code))}\x1b\\`);
        continue;
      }
      const colour = read(value);
      if (colour !== undefined) this.#special.set(code, colour);
    }
  }

  #themed(code: number): number {
    const { foreground, background } = this.#theme();
    return code === 11 ? background : foreground;
  }
}

/** xterm's 256 colours: sixteen, a cube of six steps each, and greys. */
function numbered(number: number): number {
  const named = SIXTEEN[number];
  if (named !== undefined) return named;
  if (number >= 232) return (8 + (number - 232) * 10) * 0x010101;
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = number - 16;
  return (
    (step(Math.floor(cube / 36)) << 16) | (step(Math.floor(cube / 6) % 6) << 8) | step(cube % 6)
  );
}

/** As xterm spells a colour: 16 bits for each part. */
function spell(colour: number): string {
  const part = (shift: number) =>
    ((colour >>> shift) & 0xff).toString(16).padStart(2, "0").repeat(2);
  return `rgb:${part(16)}/${part(8)}/${part(0)}`;
}

/** `rgb:r/g/b` or `#rgb` with one to four digits for each part; `undefined` for anything else, names included. */
function read(value: string): number | undefined {
  const [, r, g, b] = /^rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})$/i.exec(value) ?? [];
  if (r && g && b)
    return join([r, g, b].map((part) => parseInt(part, 16) / (16 ** part.length - 1)));
  const [, digits] = /^#((?:[\da-f]{3}){1,4})$/i.exec(value) ?? [];
  if (!digits) return undefined;
  const length = digits.length / 3;
  const parts = [0, 1, 2].map((at) => digits.slice(at * length, (at + 1) * length));
  // The digits of this form are the highest ones: #fff is #f0f0f0.
  return join(parts.map((part) => parseInt(part.padEnd(2, "0").slice(0, 2), 16) / 255));
}

const join = (parts: readonly number[]): number =>
  parts.reduce((colour, part) => colour * 256 + Math.round(part * 255), 0);
