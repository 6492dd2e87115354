import type { Sequence } from "./sequence.ts";

/** The protocol defines five flags. */
const ALL_FLAGS = 0b11111;

/** How many flags may wait on a stack; more push the oldest out, as the protocol asks. */
const MAX_DEPTH = 16;

const MORE = 0x3e;
const LESS = 0x3c;
const EQUALS = 0x3d;

/** The flags of the kitty keyboard protocol (sw.kovidgoyal.net/kitty/keyboard-protocol), with a stack for each of the two
 * screens. */
export class KittyKeyboard {
  #screens = [[0], [0]];
  #screen = 0;

  get flags(): number {
    return this.#stack.at(-1) ?? 0;
  }

  /** A control sequence that ends in `u`. */
  take(sequence: Sequence): void {
    const stack = this.#stack;
    const flags = sequence.value(0, 0) & ALL_FLAGS;
    if (sequence.prefix === MORE) {
      stack.push(flags);
      if (stack.length > MAX_DEPTH) stack.shift();
    } else if (sequence.prefix === LESS) {
      stack.splice(Math.max(0, stack.length - sequence.amount()));
      if (stack.length === 0) stack.push(0);
    } else if (sequence.prefix === EQUALS) {
      stack[stack.length - 1] = combined(this.flags, flags, sequence.value(1, 1));
    }
  }

  show(isAlternate: boolean): void {
    this.#screen = isAlternate ? 1 : 0;
  }

  reset(): void {
    this.#screens = [[0], [0]];
    this.#screen = 0;
  }

  get #stack(): number[] {
    return this.#screens[this.#screen] ?? [];
  }
}

function combined(flags: number, given: number, how: number): number {
  if (how === 2) return flags | given;
  return how === 3 ? flags & ~given : given;
}
