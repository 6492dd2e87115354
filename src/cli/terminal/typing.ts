import { keyNamed } from "../../host/keys/names.ts";
import { replyIn } from "../../host/vt/replies.ts";
import { UsageError } from "../failure.ts";
import { cutTyped, keyOf, STILL } from "./typed.ts";

/** The keys that a terminal is left by, one after the other, unless told otherwise. */
export const DETACH_KEYS = "C-] d";

const NO_KEYS = "none";

/** How many may have to be pressed. */
const MAX_KEYS = 4;

/** The keys that a terminal is left by, as tmux calls them. None: by none. */
export function readDetachKeys(text: string): readonly string[] {
  if (text === NO_KEYS) return [];
  const keys = text.split(" ").filter((word) => word !== "");
  const isGood = keys.length > 0 && keys.length <= MAX_KEYS && keys.every(isKey);
  if (isGood)
    return keys.map((key) => (key.length > 1 ? key.toLowerCase().replace("c-", "C-") : key));
  throw new UsageError(
    `--detach-keys must be 1 to ${MAX_KEYS} keys such as "${DETACH_KEYS}", each a character or C- and one, or ${NO_KEYS}, got "${text}"`,
  );
}

function isKey(word: string): boolean {
  if (/^[!-~]$/.test(word)) return true;
  return /^C-[@-_a-z?]$/.test(word) && keyNamed(word) !== undefined;
}

/** What becomes of what was typed. */
export interface Taken {
  /** What goes to the terminal. */
  readonly bytes: Buffer;
  /** Whether the keys to leave by were pressed. Nothing that was typed after them is in `bytes`. */
  readonly isDetached: boolean;
}

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** What a person types at a terminal that shows another: the keys to leave by are found in it, in whatever way the program has the
 * keyboard send them. The first of the keys twice types it once. */
export class Typing {
  readonly #keys: readonly string[];
  /** The beginning of a sequence. */
  #rest = "";
  /** The keys to leave by that were pressed so far, as they came. */
  #held: string[] = [];
  #matched = 0;
  #isPaste = false;
  readonly #answers: (part: string) => boolean;

  /** `answers`: whether a sequence answers what the person's terminal was asked by this program itself. */
  constructor(keys: readonly string[], answers: (part: string) => boolean = () => false) {
    this.#keys = keys;
    this.#answers = answers;
  }

  /** Whether a sequence has begun. One that does not go on soon was keys: `flush` gives them. */
  get isUnfinished(): boolean {
    return this.#rest !== "";
  }

  take(bytes: Uint8Array): Taken {
    const { parts, rest } = cutTyped(this.#rest + Buffer.from(bytes).toString("latin1"));
    this.#rest = rest;
    let passed = "";
    for (const part of parts) {
      const next = this.#pass(part);
      if (next === undefined) return taken(passed, true);
      passed += next;
    }
    return taken(passed, false);
  }

  flush(): Buffer {
    const rest = this.#rest;
    this.#rest = "";
    return taken(rest, false).bytes;
  }

  /** What goes on now that this part came; `undefined` where it was the last of the keys to leave by. */
  #pass(part: string): string | undefined {
    if (part === PASTE_BEGIN || part === PASTE_END) {
      this.#isPaste = part === PASTE_BEGIN;
      return this.#release() + part;
    }
    if (this.#isPaste) return part;
    if (this.#answers(part)) return "";
    // Nobody typed it, so it ends no row of keys. The host leaves it out where it has answered the program itself.
    if (replyIn(part)?.isSure === true) return part;
    const key = keyOf(part);
    if (key === STILL && this.#matched > 0) {
      this.#held.push(part);
      return "";
    }
    if (key !== undefined && key === this.#keys[this.#matched]) return this.#match(part);
    const isTwice = this.#matched > 0 && key === this.#keys[0];
    return isTwice ? this.#release() : this.#release() + part;
  }

  #match(part: string): string | undefined {
    this.#matched += 1;
    this.#held.push(part);
    return this.#matched === this.#keys.length ? undefined : "";
  }

  #release(): string {
    const held = this.#held.join("");
    this.#held = [];
    this.#matched = 0;
    return held;
  }
}

const taken = (text: string, isDetached: boolean): Taken => ({
  bytes: Buffer.from(text, "latin1"),
  isDetached,
});
