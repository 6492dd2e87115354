import { HostError } from "../failure.ts";
import { encodeKey } from "./encode.ts";
import type { KeyModes } from "./modes.ts";
import { keyNamed } from "./names.ts";

export { pasteBytes, SUBMIT_DELAY_MS, submitWrites } from "./paste.ts";

/** Controls that a text may have in it: tab, newline and carriage return are text to whoever writes one. */
const OTHER_CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

export interface KeyOptions {
  /** Whether everything is text, whatever it looks like, and sent as it is. */
  readonly literal: boolean;
  /** What the program has asked of the keyboard; absent where it has asked nothing. */
  readonly modes?: KeyModes | undefined;
}

/** What a terminal sends when these are typed, one after the other with nothing in between: names of keys as those keys,
 * anything else as text.
 *
 * Text with control characters in it is refused unless it is `literal`: those are keys, and one in a text that comes from
 * elsewhere would be pressed unseen. */
export function keyBytes(words: readonly string[], { literal, modes = {} }: KeyOptions): Buffer {
  if (literal) return Buffer.from(words.join(""));
  return Buffer.from(words.map((word, index) => typed(word, index, modes)).join(""));
}

function typed(word: string, index: number, modes: KeyModes): string {
  const key = keyNamed(word);
  if (key !== undefined) return encodeKey(key, modes);
  const control = OTHER_CONTROLS.exec(word)?.[0];
  if (control === undefined) return word;
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new HostError(
    "invalid",
    `keys[${index}] must be the name of a key or text without control characters, got U+${code} in it; name the key, such as C-c, or send it with \`literal\``,
  );
}
