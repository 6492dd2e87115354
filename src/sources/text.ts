import {
  COMMAND_ARGUMENTS,
  COMMAND_BYTES,
  CWD_BYTES,
  NAME_CHARACTERS,
} from "../contract/terminals.ts";

const ELLIPSIS = "…";

/** Control characters (C0, DEL, C1), line and paragraph separators, and those that turn the direction of
 * text: in a list they could hide, fake or reorder what stands beside them. */
const CONTROLS =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A name or title fit to be shown: each run of controls is one space, ends are trimmed, cut to
 * NAME_CHARACTERS, each of which may take two code units. `undefined` where nothing is left. */
export function displayText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clean = text.toWellFormed().replace(CONTROLS, " ").trim();
  if (clean === "") return undefined;
  // No more than twice as many code units can be within the bound, so that a huge text costs no more.
  const characters = [...clean.slice(0, 2 * NAME_CHARACTERS + 1)];
  return characters.length <= NAME_CHARACTERS
    ? clean
    : `${characters.slice(0, NAME_CHARACTERS - 1).join("")}${ELLIPSIS}`;
}

/** An argv within the contract's bounds. One that is longer is cut and ends in an ellipsis argument. */
export function boundedCommand(argv: readonly string[]): string[] {
  const whole = within(argv, COMMAND_ARGUMENTS, COMMAND_BYTES);
  if (whole === argv.length) return [...argv];
  const room = within(argv, COMMAND_ARGUMENTS - 1, COMMAND_BYTES - Buffer.byteLength(ELLIPSIS));
  return [...argv.slice(0, room), ELLIPSIS];
}

/** How many of the first parts are within both bounds together. */
function within(parts: readonly string[], count: number, bytes: number): number {
  let sum = 0;
  const over = parts.findIndex((part, index) => {
    sum += Buffer.byteLength(part);
    return index >= count || sum > bytes;
  });
  return over < 0 ? parts.length : over;
}

/** A path if it is within the contract's bound. Half a path would be another path, so a longer one is left
 * out. */
export function boundedPath(path: string | undefined): string | undefined {
  return path === undefined || Buffer.byteLength(path) > CWD_BYTES ? undefined : path;
}

/** A foreign part of an id: UTF-8 bytes outside `[A-Za-z0-9._-]` percent-encoded, so that the id holds no
 * separator of its own, no white space and no control, and can be taken apart again. */
export function idPart(text: string): string {
  let part = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    part += /[A-Za-z0-9._-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return part;
}
