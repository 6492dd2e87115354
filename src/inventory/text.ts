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
 * NAME_CHARACTERS. `undefined` where nothing is left. */
export function displayText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clean = text.toWellFormed().replace(CONTROLS, " ").trim();
  if (clean === "") return undefined;
  // Cut between characters, not inside one that takes two code units.
  return clean.length <= NAME_CHARACTERS
    ? clean
    : `${firstCharacters(clean, NAME_CHARACTERS - 1)}${ELLIPSIS}`;
}

/** An argv within the contract's bounds. One that is longer is cut and ends in an ellipsis argument. */
export function boundedCommand(argv: readonly string[]): string[] {
  const command: string[] = [];
  let bytes = Buffer.byteLength(ELLIPSIS);
  for (const argument of argv) {
    bytes += Buffer.byteLength(argument);
    if (command.length >= COMMAND_ARGUMENTS - 1 || bytes > COMMAND_BYTES) {
      const whole =
        argv.length === command.length + 1 && bytes - Buffer.byteLength(ELLIPSIS) <= COMMAND_BYTES;
      return [...command, whole ? argument : ELLIPSIS];
    }
    command.push(argument);
  }
  return command;
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

function firstCharacters(text: string, limit: number): string {
  const cut = text.slice(0, limit);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}
