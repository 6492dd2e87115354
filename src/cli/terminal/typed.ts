/** What a terminal sends is cut into: control sequences, strings of controls, and single bytes (ECMA-48 5.4, 5.6). Bytes
 * are the characters of these texts, one each. */
const PARTS = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)|[\s\S]/g;

/** The beginning of a sequence or a string at the end of a text. */
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|[\]P_][^\x07\x1b]*\x1b?)?$/;

/** The longest that is waited for, in bytes. More is nothing that a terminal answers. */
const MAX_UNFINISHED = 64 * 1024;

/** Cuts what was typed, and what of it has no end yet. */
export function cutTyped(text: string): {
  readonly parts: readonly string[];
  readonly rest: string;
} {
  const at = UNFINISHED.exec(text)?.index ?? text.length;
  const isTooLong = text.length - at > MAX_UNFINISHED;
  const whole = isTooLong ? text : text.slice(0, at);
  return { parts: whole.match(PARTS) ?? [], rest: isTooLong ? "" : text.slice(at) };
}

/** The key of a sequence in the protocol of kitty, `CSI code : more ; modifiers : event ; text u`. */
const KITTY = /^\x1b\[(\d+)(?::[\d:]*)?(?:;(\d*)(?::(\d+))?)?(?:;[\d:]*)?u$/;

/** The same as xterm sends it with modifyOtherKeys. */
const OTHER_KEY = /^\x1b\[27;(\d+);(\d+)~$/;

/** Where keys begin that type nothing, such as Ctrl itself (the private use area). */
const FIRST_FUNCTIONAL = 0xe000;

const SHIFT = 1;
const CONTROL = 4;
const LOCKS = 64 + 128;
const RELEASED = "3";

/** The key that was pressed, as tmux calls it; `undefined` where it is none that types a character; `still` where
 * nothing was pressed, as when a key is let go. */
export function keyOf(part: string): string | undefined {
  const kitty = KITTY.exec(part);
  if (kitty !== null) {
    const [, code, modifiers, event] = kitty;
    return event === RELEASED || Number(code) >= FIRST_FUNCTIONAL
      ? STILL
      : named(Number(code), Number(modifiers || 1));
  }
  const [, modifiers, code] = OTHER_KEY.exec(part) ?? [];
  if (code !== undefined) return named(Number(code), Number(modifiers));
  if (part.length !== 1) return undefined;
  const byte = part.charCodeAt(0);
  if (byte === 0x7f) return "C-?";
  return byte < 0x20 ? `C-${String.fromCharCode(byte + 0x40).toLowerCase()}` : part;
}

export const STILL = "still";

/** `modifiers` as both protocols count them: one more than their bits. */
function named(code: number, modifiers: number): string | undefined {
  const bits = (modifiers - 1) & ~LOCKS;
  const isPlain = (bits & ~(SHIFT | CONTROL)) === 0;
  if (!isPlain || code < 0x20 || code > 0x7e) return undefined;
  const character = String.fromCharCode(code);
  return bits & CONTROL ? `C-${character.toLowerCase()}` : character;
}
