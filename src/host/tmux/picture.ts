import { TmuxFailure } from "./client.ts";
import type { Pane } from "./pane.ts";

/** Modes of a screen as tmux tells them. */
export interface Flags {
  readonly visible: boolean;
  readonly insert: boolean;
  readonly cursorKeys: boolean;
  readonly keypad: boolean;
  readonly alternate: boolean;
  readonly origin: boolean;
  readonly wrap: boolean;
  readonly mouse: boolean;
  /** Absent where this tmux does not tell. */
  readonly bracketedPaste?: boolean;
}

/** What a session shows, for a screen of this size that shows nothing yet. */
export interface Picture {
  readonly cols: number;
  /** With those of its history that were asked for. */
  readonly rows: number;
  readonly bytes: Buffer;
  readonly flags: Flags;
}

const NUMBERS = ["pane_width", "pane_height", "history_size", "cursor_x", "cursor_y"] as const;

const SWITCHES = [
  "pane_dead",
  "cursor_flag",
  "insert_flag",
  "keypad_cursor_flag",
  "keypad_flag",
  "alternate_on",
  "origin_flag",
  "wrap_flag",
  "mouse_any_flag",
  "bracket_paste_flag",
] as const;

const FORMAT = ["session_name", ...NUMBERS, ...SWITCHES].map((name) => `#{${name}}`).join(":");

/** Letters between SO and SI are drawn as lines; rows end where they end, so none goes on in the next. */
const BEGIN = "\x1b)0\x1b[?7l";
const BEGIN_JOINED = "\x1b)0\x1b[?7h";

export interface PictureOptions {
  /** Lines of the history at most. */
  readonly scrollback: number;
  /** Whether rows that the width broke are to be one line of the text. */
  readonly joinWrapped: boolean;
}

/** Asks tmux what a session shows. Absent where the session is gone. */
export async function takePicture(
  pane: Pane,
  { scrollback, joinWrapped }: PictureOptions,
): Promise<Picture | undefined> {
  const target = ["-t", pane.number];
  const capture = ["capture-pane", "-p", "-e", joinWrapped ? "-J" : "-N", ...target];
  // In one list, between whose parts nothing changes. How large the history is, and whether it is one of this screen, is
  // known afterwards.
  const command = [
    ...["display-message", "-p", ...target, FORMAT, ";"],
    ...capture,
    ...(scrollback > 0 ? ["-S", `-${Math.floor(scrollback)}`] : []),
  ];
  let said: Buffer;
  try {
    said = await pane.client.ask(command);
  } catch (error) {
    // The server says no where there is no such pane.
    if (error instanceof TmuxFailure && error.kind !== "silent") return undefined;
    throw error;
  }
  const end = said.indexOf("\n");
  const [name, ...values] = said.toString("latin1", 0, end).split(":");
  if (name !== pane.id) return undefined;
  const lines = said
    .subarray(end + 1)
    .toString("utf8")
    .split("\n")
    .slice(0, -1);
  const taken = picture(lines, values, { scrollback, joinWrapped });
  // The history is not of the screen that a program has to itself.
  const isMore = taken.flags.alternate && scrollback > 0;
  return isMore ? takePicture(pane, { scrollback: 0, joinWrapped }) : taken;
}

function picture(
  lines: string[],
  values: readonly string[],
  { scrollback, joinWrapped }: PictureOptions,
): Picture {
  const [cols = 0, height = 0, size = 0, x = 0, y = 0] = values.map(Number);
  const states = values.slice(NUMBERS.length);
  const is = (name: (typeof SWITCHES)[number]) => states[SWITCHES.indexOf(name)] === "1";
  const history = Math.min(size, Math.max(0, Math.floor(scrollback)));
  const rows = height + history;
  const bytes = [
    joinWrapped ? BEGIN_JOINED : BEGIN,
    lines.join("\r\n"),
    `\x1b[${y + 1 + rows - height};${x + 1}H`,
  ];
  const paste = states[SWITCHES.indexOf("bracket_paste_flag")];
  return {
    cols,
    rows,
    bytes: Buffer.from(bytes.join("")),
    flags: {
      visible: is("cursor_flag"),
      insert: is("insert_flag"),
      cursorKeys: is("keypad_cursor_flag"),
      keypad: is("keypad_flag"),
      alternate: is("alternate_on"),
      origin: is("origin_flag"),
      wrap: is("wrap_flag"),
      mouse: is("mouse_any_flag"),
      ...(paste === "" || paste === undefined ? {} : { bracketedPaste: paste === "1" }),
    },
  };
}
