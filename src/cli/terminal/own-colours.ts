import type { TerminalTheme } from "../../host/channel/messages.ts";

/** Asks a terminal for the colours of its text and its background (xterm, OSC 10 and 11), and then what it is (DA1). That
 * every terminal answers, in the order of the questions: which colours have not come by then will not come. */
export const COLOUR_QUESTION = "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[c";

const COLOUR =
  /^\x1b\](1[01]);(?:rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?|#([\da-f]{6}))(?:\x07|\x1b\\)$/i;

const ATTRIBUTES = /^\x1b\[\?[\d;]*c$/;

/** Finds the answers to one question among what a terminal sends. */
export class ColourAnswers {
  readonly #colours = new Map<string, number>();
  #isComplete = false;

  /** Whether all answers have come. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The colours; `undefined` where the terminal did not tell both. */
  get theme(): TerminalTheme | undefined {
    const foreground = this.#colours.get("10");
    const background = this.#colours.get("11");
    if (foreground === undefined || background === undefined) return undefined;
    return { foreground, background, scheme: isDark(background) ? "dark" : "light" };
  }

  /** Whether a sequence is one of the answers, so that nobody typed it. */
  takes(part: string): boolean {
    if (this.#isComplete) return false;
    if (ATTRIBUTES.test(part)) {
      this.#isComplete = true;
      return true;
    }
    const [, name, red = "", green = "", blue = "", hex] = COLOUR.exec(part) ?? [];
    if (name === undefined) return false;
    const colour =
      hex === undefined
        ? (byte(red) << 16) | (byte(green) << 8) | byte(blue)
        : Number.parseInt(hex, 16);
    this.#colours.set(name, colour);
    return true;
  }
}

/** A part of a colour in 8 bits: however many digits it has, all of them set is the most. */
const byte = (digits: string) =>
  Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);

/** By how bright it looks (ITU-R BT.601). */
function isDark(colour: number): boolean {
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}
