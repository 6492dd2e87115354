import type { KeyModes } from "./modes.ts";
import type { Key, Modifiers, NamedKey } from "./names.ts";

const ESC = "\x1b";

/** Keys that CSI or SS3 and a letter stand for (xterm, "PC-Style Function Keys"). */
const LETTERS: Readonly<Partial<Record<NamedKey, string>>> = {
  Up: "A",
  Down: "B",
  Right: "C",
  Left: "D",
  Home: "H",
  End: "F",
  F1: "P",
  F2: "Q",
  F3: "R",
  F4: "S",
};

/** Of those, the ones that DECCKM does not change: they begin with SS3 always. */
const FUNCTION_KEYS: ReadonlySet<NamedKey> = new Set(["F1", "F2", "F3", "F4"]);

/** Keys that CSI, a number and `~` stand for. */
const NUMBERS: Readonly<Partial<Record<NamedKey, number>>> = {
  IC: 2,
  DC: 3,
  PPage: 5,
  NPage: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
};

/** Keys of the keypad: what they type, and what comes after SS3 while a program uses the keypad for itself. */
const KEYPAD: Readonly<Partial<Record<NamedKey, readonly [typed: string, letter: string]>>> = {
  KPEnter: ["\r", "M"],
  "KP*": ["*", "j"],
  "KP+": ["+", "k"],
  "KP-": ["-", "m"],
  "KP.": [".", "n"],
  "KP/": ["/", "o"],
  KP0: ["0", "p"],
  KP1: ["1", "q"],
  KP2: ["2", "r"],
  KP3: ["3", "s"],
  KP4: ["4", "t"],
  KP5: ["5", "u"],
  KP6: ["6", "v"],
  KP7: ["7", "w"],
  KP8: ["8", "x"],
  KP9: ["9", "y"],
};

/** Keys that type a control character: what that is, with Ctrl too, and the key's number in the protocol of kitty. */
const CONTROLS: Readonly<Partial<Record<NamedKey, readonly [string, string, number]>>> = {
  Enter: ["\r", "\r", 13],
  Tab: ["\t", "\t", 9],
  Escape: [ESC, ESC, 27],
  BSpace: ["\x7f", "\b", 127],
  Space: [" ", "\0", 32],
};

/** Characters that Ctrl makes a control character of and that are not the one 64 further up: as xterm and tmux have
 * them. */
const CONTROL_OF: Readonly<Record<string, string>> = {
  " ": "\0",
  "2": "\0",
  "3": ESC,
  "4": "\x1c",
  "5": "\x1d",
  "6": "\x1e",
  "7": "\x1f",
  "8": "\x7f",
  "/": "\x1f",
  "-": "\x1f",
  "?": "\x7f",
};

/** What a terminal sends for a key. */
export function encodeKey(key: Key, modes: KeyModes): string {
  return "character" in key
    ? encodeCharacter(key, key.character)
    : encodeNamed(key, key.named, modes);
}

function encodeCharacter(modifiers: Modifiers, character: string): string {
  const shifted = modifiers.shift ? upper(character) : character;
  const sent = modifiers.control ? controlOf(shifted) : shifted;
  return modifiers.meta ? ESC + sent : sent;
}

/** Shift is known of letters alone: which other characters it makes is up to the keyboard. */
const upper = (character: string) =>
  /^\p{Ll}$/u.test(character) && character.toUpperCase().length === character.length
    ? character.toUpperCase()
    : character;

/** A character that Ctrl makes nothing of stays as it is. */
function controlOf(character: string): string {
  const own = CONTROL_OF[character];
  if (own !== undefined) return own;
  return /^[@-~]$/.test(character)
    ? String.fromCharCode(character.charCodeAt(0) & 0x1f)
    : character;
}

function encodeNamed(modifiers: Modifiers, name: NamedKey, modes: KeyModes): string {
  if (name === "BTab") return encodeNamed({ ...modifiers, shift: true }, "Tab", modes);
  const letter = LETTERS[name];
  if (letter !== undefined) return encodeLetter(modifiers, name, letter, modes);
  const number = NUMBERS[name];
  if (number !== undefined) {
    const parameter = parameterOf(modifiers);
    return `${ESC}[${number}${parameter === 1 ? "" : `;${parameter}`}~`;
  }
  const keypad = KEYPAD[name];
  if (keypad !== undefined) {
    const sent = modes.applicationKeypad === true ? `${ESC}O${keypad[1]}` : keypad[0];
    return modifiers.meta ? ESC + sent : sent;
  }
  return encodeControl(modifiers, name, modes);
}

function encodeLetter(
  modifiers: Modifiers,
  name: NamedKey,
  letter: string,
  modes: KeyModes,
): string {
  const parameter = parameterOf(modifiers);
  if (parameter !== 1) return `${ESC}[1;${parameter}${letter}`;
  const isSs3 = FUNCTION_KEYS.has(name) || modes.applicationCursor === true;
  return `${ESC}${isSs3 ? "O" : "["}${letter}`;
}

/** The older way has one form for several of these keys. A program that asked for the newer gets it where it tells
 * more, and nowhere else: Ctrl-C has to stop whatever is in front, also after a program that left the newer way on. */
function encodeControl(modifiers: Modifiers, name: NamedKey, modes: KeyModes): string {
  const [typed, withControl, number] = CONTROLS[name] ?? ["", "", 0];
  const { shift, meta, control } = modifiers;
  if (((modes.kittyKeyboard ?? 0) & 1) === 1 && isAmbiguous(modifiers, name)) {
    const parameter = parameterOf(modifiers);
    return `${ESC}[${number}${parameter === 1 ? "" : `;${parameter}`}u`;
  }
  if (name === "Tab" && shift) return meta ? `${ESC}${ESC}[Z` : `${ESC}[Z`;
  const sent = control ? withControl : typed;
  return meta ? ESC + sent : sent;
}

/** Whether the older form could be another key, or the beginning of one. */
function isAmbiguous({ shift, meta, control }: Modifiers, name: NamedKey): boolean {
  if (name === "Escape") return true;
  if (name === "Space") return control ? shift || meta : false;
  if (name === "Tab") return control || meta;
  return shift || control || meta;
}

/** Modifiers as a parameter: 1 stands for none (xterm, "PC-Style Function Keys"). */
const parameterOf = ({ shift, meta, control }: Modifiers) =>
  1 + (shift ? 1 : 0) + (meta ? 2 : 0) + (control ? 4 : 0);
