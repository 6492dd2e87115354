import type { VtHandler } from "../vt/parser.ts";
import type { Sequence } from "../vt/sequence.ts";
import { CONTROLS, ESCAPES, eraseLine, eraseScreen, FUNCTIONS } from "./functions.ts";
import { inGraphics } from "./graphics.ts";
import type { Page } from "./page.ts";
import { cellWidth } from "./width.ts";

const code = (character: string) => character.charCodeAt(0);
const QUESTION = code("?");
const GRAPHICS = code("0");
const REPEAT = code("b");

/** Which of the four sets of characters a designation is for: the first two can be switched to with SI and SO. */
const SETS: Readonly<Record<number, number>> = { [code("(")]: 0, [code(")")]: 1 };
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;

/** Private modes that make the screen another one: its width, or which of the two. */
const SCREEN_MODES = new Set([3, 47, 1047, 1049]);
const WRAP_MODE = 7;

/** Does to a page what a terminal's output says. What has no bearing on text (colours, modes, strings) is passed over. */
export class Interpreter implements VtHandler {
  readonly #page: Page;
  #sets = [false, false];
  #set = 0;
  /** What a repetition repeats. */
  #last = 0x20;

  constructor(page: Page) {
    this.#page = page;
  }

  text(bytes: Uint8Array, start: number, end: number): void {
    const whole = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, end);
    const run = whole.toString("latin1", start, end);
    this.#last = run.charCodeAt(run.length - 1);
    if (this.#sets[this.#set] !== true) {
      this.#page.write(run);
      return;
    }
    for (const character of inGraphics(run)) this.#page.put(character.charCodeAt(0));
  }

  character(character: number): void {
    this.#last = character;
    this.#page.put(character);
  }

  control(control: number): void {
    if (control === SHIFT_OUT) this.#set = 1;
    else if (control === SHIFT_IN) this.#set = 0;
    else CONTROLS[control]?.(this.#page);
  }

  escape(final: number, intermediate: number): void {
    const set = SETS[intermediate];
    if (set !== undefined) this.#sets[set] = final === GRAPHICS;
    if (intermediate !== 0) return;
    if (final === code("c")) this.#reset();
    else ESCAPES[String.fromCharCode(final)]?.(this.#page);
  }

  csi(sequence: Sequence): void {
    const { prefix, intermediate, final } = sequence;
    if (intermediate !== 0) return;
    if (prefix === QUESTION) this.#privateFunction(sequence, String.fromCharCode(final));
    else if (prefix !== 0) return;
    else if (final === REPEAT) this.#repeat(sequence.amount());
    else FUNCTIONS[String.fromCharCode(final)]?.(this.#page, sequence);
  }

  dcs(): void {}

  #privateFunction(sequence: Sequence, final: string): void {
    // These spare what is protected, and nothing here is.
    if (final === "J") eraseScreen(this.#page, sequence);
    else if (final === "K") eraseLine(this.#page, sequence);
    else if (final === "h" || final === "l") this.#setModes(sequence, final === "h");
  }

  #setModes(sequence: Sequence, isOn: boolean): void {
    for (let index = 0; index < sequence.count; index += 1) {
      const mode = sequence.value(index, 0);
      if (SCREEN_MODES.has(mode)) this.#page.freshLine();
      else if (mode === WRAP_MODE) this.#page.isWrapping = isOn;
    }
  }

  /** Programs repeat lines and blanks. What takes other than one cell is left as it is. */
  #repeat(count: number): void {
    if (this.#last > 0xffff || cellWidth(this.#last) !== 1) return;
    this.#page.write(String.fromCharCode(this.#last).repeat(Math.min(count, this.#page.cols)));
  }

  #reset(): void {
    this.#sets = [false, false];
    this.#set = 0;
    this.#page.isWrapping = true;
    this.#page.freshLine();
  }
}
