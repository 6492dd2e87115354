import { ENCODINGS, FLAG_MODES, type Modes, TRACKINGS } from "./modes.ts";

/** The state of a terminal as far as the host itself knows it. */
export interface KnownState {
  /** Absent where its program has asked for none. */
  readonly modes: Modes | undefined;
  readonly isAlternate: boolean;
  readonly title: string;
}

/** What puts a new terminal into this state. With the last part of the output after it, of which the state is the outcome, it
 * comes to the same state again: what the part does not set was so before. */
export function primerOf({ modes, isAlternate, title }: KnownState): string {
  const set = (mode: number) => `\x1b[?${mode}h`;
  const alternate = isAlternate ? set(1049) : "";
  const named = title === "" ? "" : `\x1b]2;${title}\x07`;
  if (modes === undefined) return alternate + named;
  const flags = FLAG_MODES.filter(([, flag]) => modes[flag]).map(([mode]) => mode);
  const mouse = [
    ...TRACKINGS.filter(([, tracking]) => tracking === modes.mouse.tracking),
    ...ENCODINGS.filter(([, encoding]) => encoding === modes.mouse.encoding),
  ].map(([mode]) => mode);
  const keyboard = modes.kittyKeyboard === 0 ? "" : `\x1b[=${modes.kittyKeyboard}u`;
  return alternate + [...flags, ...mouse].map(set).join("") + keyboard + named;
}
