import type { Look, Modes } from "./look.ts";

/** Takes a terminal from any state to an empty main screen without history, and ends what is open: CAN ends a sequence that
 * was cut. */
export const RESET = [
  "\x18\x1b[?2026l\x1b[?1049l\x1b[!p\x1b>",
  "\x1b[?1l\x1b[?6l\x1b[?7h\x1b[?25h\x1b[4l\x1b[20l\x1b[?9l\x1b[?1004l",
  "\x1b[0 q\x1b(B\x1b)B\x0f\x1b]8;;\x1b\\\x1b[m\x1b[r\x1b[H\x1b[2J\x1b[3J",
].join("");

const MOUSE = { clicks: 1000, drags: 1002, moves: 1003 } as const;
const ENCODINGS = { sgr: 1006, utf8: 1005 } as const;
const NO_MOUSE = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l";
const SHAPES = { block: 2, underline: 4, bar: 6 } as const;

/** What makes a terminal's modes, shape of the cursor and title those of a pane; `before`: absent where they are not
 * known. Empty where they are the same. */
export function modeSequences(before: Look | undefined, { modes, cursor, title }: Look): string {
  let text = "";
  if (before?.modes.cursorKeys !== modes.cursorKeys) {
    text += modes.cursorKeys ? "\x1b[?1h" : "\x1b[?1l";
  }
  if (before?.modes.keypad !== modes.keypad) text += modes.keypad ? "\x1b=" : "\x1b>";
  // Where nobody knows whether the program wants them marked, pastes have to be told from what is typed; tmux passes the
  // marks on where it does.
  const marks = modes.bracketedPaste !== false;
  if (before === undefined || marks !== (before.modes.bracketedPaste !== false)) {
    text += marks ? "\x1b[?2004h" : "\x1b[?2004l";
  }
  const mouse = mouseSequence(modes);
  if (before === undefined || mouse !== mouseSequence(before.modes)) text += mouse;
  const shape = shapeSequence(cursor);
  if (before === undefined || shape !== shapeSequence(before.cursor)) text += shape;
  if (before?.title !== title) text += `\x1b]2;${title}\x1b\\`;
  return text;
}

function mouseSequence({ mouse, mouseEncoding }: Modes): string {
  if (mouse === undefined) return NO_MOUSE;
  const encoding = mouseEncoding === undefined ? "" : `\x1b[?${ENCODINGS[mouseEncoding]}h`;
  return `${NO_MOUSE}${encoding}\x1b[?${MOUSE[mouse]}h`;
}

function shapeSequence({ shape, isBlinking }: Look["cursor"]): string {
  if (shape === undefined) return "\x1b[0 q";
  return `\x1b[${SHAPES[shape] - (isBlinking === true ? 1 : 0)} q`;
}
