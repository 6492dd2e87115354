/** What a program has asked of the keyboard. Absent modes are off. */
export interface KeyModes {
  /** DECCKM: cursor keys begin with SS3. */
  readonly applicationCursor?: boolean;
  /** DECKPAM: keys of the keypad are told from others. */
  readonly applicationKeypad?: boolean;
  /** Mode 2004: pastes are marked. */
  readonly bracketedPaste?: boolean;
  /** The flags of the keyboard protocol of kitty; bit 0 asks for keys that are not ambiguous. */
  readonly kittyKeyboard?: number;
}
