/** A screen as a terminal is made to show it. */
export interface Snapshot {
  /** A repaint for a terminal of the same size, in whatever state it is. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many bytes had been fed before it, those of the past included: what follows on the viewer is output from there
   * on. */
  readonly end: number;
}

/** How a screen is wanted as text. */
export interface CaptureOptions {
  /** How many lines above the screen come first, at most; none while a program has the alternate screen. */
  readonly scrollback: number;
  /** Whether colours and attributes are kept as SGR sequences. */
  readonly escapes?: boolean | undefined;
  /** Whether rows that the width broke are one line. */
  readonly joinWrapped?: boolean | undefined;
}

/** A screen as text. */
export interface Capture {
  /** Lines without the blanks at their ends and without the blank ones at the end. */
  readonly text: string;
  /** Whether a program has the alternate screen: then there is no history in it. */
  readonly alternate: boolean;
}
