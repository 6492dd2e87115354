/** A text on its way into a terminal. */
export interface Pasting {
  /** What would be typed: no control character but tabs and ends of lines. */
  readonly text: string;
  /** How many characters were left out. They could end the paste, or press keys. */
  readonly removed: number;
  readonly lines: number;
  /** Why a person is asked first; absent where nobody needs to be. */
  readonly doubt?: string;
}

/** More than this is asked for, in UTF-16 units: it may be a file by mistake. */
const MUCH = 100_000;

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Looks at a text that somebody pastes. `isBracketed`: the program asked to be told what is pasted, so that an end of a line in
 * it runs nothing. */
export function lookAt(pasted: string, isBracketed: boolean): Pasting {
  const text = pasted.replace(CONTROLS, "");
  const removed = pasted.length - text.length;
  const lines = text.replace(/(\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/).length;
  const doubt =
    text.length > MUCH
      ? `It is ${text.length} characters long.`
      : !isBracketed && /[\r\n]/.test(text)
        ? "The program takes each end of a line as Enter, so that every line may run."
        : undefined;
  return { text, removed, lines, ...(doubt === undefined ? {} : { doubt }) };
}

/** What a person is told of characters that are not typed. */
export const leftOut = (count: number): string =>
  count === 1
    ? "1 control character was left out of the paste"
    : `${count} control characters were left out of the paste`;
