/** The keys that have a name, as tmux calls them (tmux(1), KEY BINDINGS); several names may be of one key. */
const NAMES = {
  Enter: "Enter",
  Tab: "Tab",
  BTab: "BTab",
  Escape: "Escape",
  Space: "Space",
  BSpace: "BSpace",
  DC: "DC",
  Delete: "DC",
  IC: "IC",
  Insert: "IC",
  Up: "Up",
  Down: "Down",
  Left: "Left",
  Right: "Right",
  Home: "Home",
  End: "End",
  PPage: "PPage",
  PageUp: "PPage",
  PgUp: "PPage",
  NPage: "NPage",
  PageDown: "NPage",
  PgDn: "NPage",
  F1: "F1",
  F2: "F2",
  F3: "F3",
  F4: "F4",
  F5: "F5",
  F6: "F6",
  F7: "F7",
  F8: "F8",
  F9: "F9",
  F10: "F10",
  F11: "F11",
  F12: "F12",
  KPEnter: "KPEnter",
  "KP*": "KP*",
  "KP+": "KP+",
  "KP-": "KP-",
  "KP.": "KP.",
  "KP/": "KP/",
  KP0: "KP0",
  KP1: "KP1",
  KP2: "KP2",
  KP3: "KP3",
  KP4: "KP4",
  KP5: "KP5",
  KP6: "KP6",
  KP7: "KP7",
  KP8: "KP8",
  KP9: "KP9",
} as const;

export type NamedKey = (typeof NAMES)[keyof typeof NAMES];

export interface Modifiers {
  readonly shift: boolean;
  readonly meta: boolean;
  readonly control: boolean;
}

/** A key that is pressed: one with a name, or the one that types a character. */
export type Key = Modifiers & ({ readonly named: NamedKey } | { readonly character: string });

const MODIFIERS: Readonly<Record<string, keyof Modifiers>> = {
  "C-": "control",
  "M-": "meta",
  "S-": "shift",
};

/** The key that a word names; `undefined` where it names none and is text. Names are taken exactly: `up` is a word that
 * somebody types. */
export function keyNamed(word: string): Key | undefined {
  const modifiers = { shift: false, meta: false, control: false };
  let rest = word;
  if (rest.length > 1 && rest.startsWith("^")) {
    modifiers.control = true;
    rest = rest.slice(1);
  }
  for (;;) {
    const modifier = MODIFIERS[rest.slice(0, 2)];
    if (modifier === undefined) break;
    modifiers[modifier] = true;
    rest = rest.slice(2);
  }
  if (Object.hasOwn(NAMES, rest)) {
    return { ...modifiers, named: NAMES[rest as keyof typeof NAMES] };
  }
  const isModified = rest !== word;
  return isModified && isOneCharacter(rest) ? { ...modifiers, character: rest } : undefined;
}

function isOneCharacter(text: string): boolean {
  const [first, second] = text;
  return first !== undefined && second === undefined && first >= " " && first !== "\x7f";
}
