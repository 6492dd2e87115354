import type { Titles } from "../vt/titles.ts";
import { heedOsc } from "./bounded-string.ts";
import type { Inside } from "./internals.ts";
import { TITLE_CHARACTERS } from "./limits.ts";

const CONTROLS = /[\x00-\x1f\x7f-\x9f]/g;

/** Keeps the titles that the output states, in place of the parser. `titles` are those that hold at that moment. */
export function hearTitles(inside: Inside, titles: () => Titles): void {
  const parser = inside._inputHandler._parser;
  const set = (text: string) => titles().set(text.replace(CONTROLS, ""));
  for (const code of [0, 2]) heedOsc(parser, code, set, { limit: TITLE_CHARACTERS, isCut: true });
  heedOsc(parser, 1, () => undefined, { limit: 0 });
  parser.registerCsiHandler({ final: "t" }, ({ params, length }) => {
    titles().operate(params[0] ?? 0, length > 1 ? (params[1] ?? 0) : 0);
    return false;
  });
  parser.registerEscHandler({ final: "c" }, () => {
    titles().reset();
    return false;
  });
}
