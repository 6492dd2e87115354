import type { Inside, Params } from "./internals.ts";

/** Private modes that xterm.js knows nothing of and a viewer's terminal may: reverse screen, mouse encodings, scrolling
 * as arrow keys, reports of the colour scheme. In the order in which they are set, as of the encodings the last one
 * holds. */
const MODES = [5, 1005, 1015, 1007, 2031] as const;
/** How deep programs may stack keyboard flags; the protocol asks for a bound and leaves it open. */
const STACK = 16;

/** Modes beside those of xterm.js, for viewers: they are set again on a terminal that shows the screen anew. */
export class FurtherModes {
  readonly #on = new Set<number>();
  /** xterm's modifyOtherKeys; `undefined` as long as nobody set it. */
  #otherKeys: number | undefined;
  /** Flags of the kitty keyboard protocol, one stack for each screen; the first entry is what holds without any. */
  #keyboards: [number[], number[]] = [[0], [0]];

  attach(inside: Inside): void {
    const parser = inside._inputHandler._parser;
    const keyboard = () => this.#keyboards[inside.buffers.active === inside.buffers.alt ? 1 : 0];
    parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) => this.#set(params, true));
    parser.registerCsiHandler({ prefix: "?", final: "l" }, (params) => this.#set(params, false));
    parser.registerCsiHandler({ prefix: ">", final: "m" }, ({ params, length }) => {
      if (params[0] === 4) this.#otherKeys = length > 1 ? params[1] : undefined;
      return false;
    });
    parser.registerCsiHandler({ prefix: ">", final: "u" }, ({ params }) => {
      const stack = keyboard();
      stack.push(flags(params[0]));
      if (stack.length > STACK) stack.splice(1, 1);
      return true;
    });
    parser.registerCsiHandler({ prefix: "<", final: "u" }, ({ params }) => {
      const stack = keyboard();
      stack.length = Math.max(1, stack.length - (params[0] || 1));
      if (stack.length === 1) stack[0] = 0;
      return true;
    });
    parser.registerCsiHandler({ prefix: "=", final: "u" }, ({ params, length }) => {
      const stack = keyboard();
      const given = flags(params[0]);
      const held = stack.at(-1) ?? 0;
      const how = length > 1 ? params[1] : 1;
      stack[stack.length - 1] = how === 2 ? held | given : how === 3 ? held & ~given : given;
      return true;
    });
    parser.registerEscHandler({ final: "c" }, () => {
      this.#on.clear();
      this.#otherKeys = undefined;
      this.#keyboards = [[0], [0]];
      return false;
    });
  }

  /** Whether the program wants to be told when the colour scheme changes. */
  get reportsScheme(): boolean {
    return this.#on.has(2031);
  }

  /** Whether a mode is on; `undefined` for one that is not kept here. */
  isOn(mode: number): boolean | undefined {
    return MODES.some((known) => known === mode) ? this.#on.has(mode) : undefined;
  }

  /** The keyboard flags that hold on the main or the alternate screen; 0 for the old way of telling keys. */
  keyboard(isAlternate: boolean): number {
    return this.#keyboards[isAlternate ? 1 : 0].at(-1) ?? 0;
  }

  /** What takes everything here back on a terminal of any state. */
  static readonly RESET = `${MODES.map((mode) => `\x1b[?${mode}l`).join("")}\x1b[>4m`;

  paint(): string {
    const modes = MODES.filter((mode) => this.#on.has(mode)).map((mode) => `\x1b[?${mode}h`);
    const keys = this.#otherKeys === undefined ? "" : `\x1b[>4;${this.#otherKeys}m`;
    return modes.join("") + keys;
  }

  /** The keyboard flags of the main or the alternate screen, for a terminal that shows it and has none of them. */
  paintKeyboard(isAlternate: boolean): string {
    const [base, ...pushed] = this.#keyboards[isAlternate ? 1 : 0];
    const reset = `\x1b[<${STACK}u\x1b[=${base ?? 0};1u`;
    return reset + pushed.map((held) => `\x1b[>${held}u`).join("");
  }

  #set({ params, length }: Params, isOn: boolean): boolean {
    for (let at = 0; at < length; at += 1) {
      const mode = params[at] ?? 0;
      if (!MODES.some((known) => known === mode)) continue;
      if (isOn) this.#on.add(mode);
      else this.#on.delete(mode);
    }
    return false;
  }
}

/** The protocol has five flags. */
const flags = (number: number | undefined): number => (number ?? 0) & 0x1f;
