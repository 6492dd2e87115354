import type { KeyModes } from "./modes.ts";

/** The marks around a paste, for a program that asked for them (xterm, "Bracketed Paste Mode"). */
const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/** Either mark, in both ways of writing its first character. */
const MARKS = /(?:\x1b\[|\x9b)20[01]~/g;

/** Every control character but tab, newline and carriage return. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** How long after a paste Enter is pressed, in milliseconds. Programs take keys that follow one another faster than
 * people type for a part of the paste: Codex waits 120 ms for more. */
export const SUBMIT_DELAY_MS = 150;

export interface PasteOptions {
  /** What the program has asked of the keyboard; absent where it has asked nothing. */
  readonly modes?: KeyModes | undefined;
}

/** What a terminal sends when a text is pasted: one write. Nothing in the text can end the paste or press a key: its
 * marks and its control characters are left out. Lines end in CR, as Enter types it. */
export function pasteBytes(text: string, { modes = {} }: PasteOptions): Buffer {
  const harmless = text
    .replaceAll(MARKS, "")
    .replaceAll(CONTROLS, "")
    .replaceAll(/\r\n|\n/g, "\r");
  const isMarked = modes.bracketedPaste === true && harmless !== "";
  return Buffer.from(isMarked ? BEGIN + harmless + END : harmless);
}

/** Bytes to be written at once, so long after what came before, in milliseconds. */
export interface TimedWrite {
  readonly bytes: Buffer;
  readonly afterMs: number;
}

/** How a text is given to a program that waits for one: pasted, and Enter pressed as a key of its own. Lines without
 * anything at its end are left out, since the first of them would be an Enter before that one. Without text there is
 * only Enter. */
export function submitWrites(text: string, options: PasteOptions): readonly TimedWrite[] {
  const bytes = pasteBytes(text.replace(/[\r\n]+$/, ""), options);
  const enter = Buffer.from("\r");
  if (bytes.length === 0) return [{ bytes: enter, afterMs: 0 }];
  return [
    { bytes, afterMs: 0 },
    { bytes: enter, afterMs: SUBMIT_DELAY_MS },
  ];
}
