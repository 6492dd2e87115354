/** Which events of the pointer a program has asked for. */
export type MouseTracking = "none" | "press" | "click" | "drag" | "motion";

/** How they are spelt. */
export type MouseEncoding = "plain" | "utf8" | "sgr" | "urxvt" | "pixels";

/** What a program has asked of the terminal that bears on what is typed into it (xterm's control sequences, and the kitty
 * keyboard protocol). */
export interface Modes {
  /** DECCKM: arrows, Home and End are sent as SS3. */
  readonly applicationCursor: boolean;
  /** DECKPAM. */
  readonly applicationKeypad: boolean;
  /** 2004: pasted text is put in brackets. */
  readonly bracketedPaste: boolean;
  /** 1004: the program is told when the terminal has the focus. */
  readonly focus: boolean;
  readonly mouse: { readonly tracking: MouseTracking; readonly encoding: MouseEncoding };
  /** The flags of the kitty keyboard protocol on the screen shown; 0 for the old one. */
  readonly kittyKeyboard: number;
  /** 2031: the program is told when the colours change between light and dark. */
  readonly colorSchemeReports: boolean;
  /** 2026: the program asks not to be drawn for a moment. */
  readonly synchronized: boolean;
}

export const INITIAL_MODES: Modes = {
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  focus: false,
  mouse: { tracking: "none", encoding: "plain" },
  kittyKeyboard: 0,
  colorSchemeReports: false,
  synchronized: false,
};

const TRACKING: Readonly<Record<number, MouseTracking>> = {
  9: "press",
  1000: "click",
  1002: "drag",
  1003: "motion",
};

const ENCODING: Readonly<Record<number, MouseEncoding>> = {
  1005: "utf8",
  1006: "sgr",
  1015: "urxvt",
  1016: "pixels",
};

type Flag = { [K in keyof Modes]: Modes[K] extends boolean ? K : never }[keyof Modes];

const FLAGS: Readonly<Record<number, Flag>> = {
  1: "applicationCursor",
  66: "applicationKeypad",
  1004: "focus",
  2004: "bracketedPaste",
  2026: "synchronized",
  2031: "colorSchemeReports",
};

const entriesOf = <Value>(table: Readonly<Record<number, Value>>): readonly [number, Value][] =>
  Object.entries(table).map(([mode, value]) => [Number(mode), value]);

/** By which private mode each is set. */
export const FLAG_MODES = entriesOf(FLAGS);
export const TRACKINGS = entriesOf(TRACKING);
export const ENCODINGS = entriesOf(ENCODING);

/** The modes after a private mode was set or reset: the same object where it changes none of them. */
export function withPrivateMode(modes: Modes, mode: number, isOn: boolean): Modes {
  const flag = FLAGS[mode];
  if (flag !== undefined) return modes[flag] === isOn ? modes : { ...modes, [flag]: isOn };
  const { mouse } = modes;
  const tracking = TRACKING[mode];
  // Each excludes the others, and resetting any of them ends what is on.
  if (tracking !== undefined)
    return withMouse(modes, { ...mouse, tracking: isOn ? tracking : "none" });
  const encoding = ENCODING[mode];
  if (encoding !== undefined)
    return withMouse(modes, { ...mouse, encoding: isOn ? encoding : "plain" });
  return modes;
}

function withMouse(modes: Modes, mouse: Modes["mouse"]): Modes {
  const { tracking, encoding } = modes.mouse;
  return mouse.tracking === tracking && mouse.encoding === encoding ? modes : { ...modes, mouse };
}
