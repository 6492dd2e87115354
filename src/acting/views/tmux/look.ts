import { exitOf } from "../../../host/tmux/state.ts";
import { ActingError } from "../../failure.ts";
import type { Pane } from "../../tmux/pane.ts";
import type { Row } from "./row.ts";
import type { RowReader } from "./row-reader.ts";

/** What a look at a pane saw. */
export interface Look {
  readonly cols: number;
  readonly rows: number;
  /** How many lines its history has and can have. */
  readonly historySize: number;
  readonly historyLimit: number;
  /** Its screen; `isAlternate`: one that a program has to itself. */
  readonly screen: readonly Row[];
  readonly isAlternate: boolean;
  /** The end of its history, as far as it was looked at, oldest first. */
  readonly history: readonly Row[];
  readonly cursor: Cursor;
  readonly modes: Modes;
  readonly title: string;
  readonly exited?: Exited;
}

/** `x` is the number of columns where the next character begins a row. */
interface Cursor {
  readonly x: number;
  readonly y: number;
  readonly isVisible: boolean;
  /** Absent where tmux does not tell. */
  readonly shape?: "block" | "underline" | "bar";
  readonly isBlinking?: boolean;
}

/** Modes that change what a viewer's terminal sends. */
export interface Modes {
  readonly cursorKeys: boolean;
  readonly keypad: boolean;
  /** Whether pastes are to be marked. Absent where tmux does not tell: before 3.7. */
  readonly bracketedPaste?: boolean;
  readonly mouse?: "clicks" | "drags" | "moves";
  readonly mouseEncoding?: "sgr" | "utf8";
}

/** How a pane's program ended. Without either where tmux does not know. */
export interface Exited {
  readonly code?: number;
  readonly error?: string;
}

/** How much of the history is looked at. */
export interface Depth {
  /** Of a pane that has the history and size of the look before, nothing. Absent: `lines` in any case. */
  readonly unlessAs?: Look;
  readonly lines: number;
}

const FIELDS = [
  "pane_width",
  "pane_height",
  "history_size",
  "history_limit",
  "cursor_x",
  "cursor_y",
  "cursor_flag",
  "cursor_shape",
  "cursor_blinking",
  "alternate_on",
  "keypad_cursor_flag",
  "keypad_flag",
  "bracket_paste_flag",
  "mouse_standard_flag",
  "mouse_button_flag",
  "mouse_all_flag",
  "mouse_sgr_flag",
  "mouse_utf8_flag",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
] as const;

const FORMAT = FIELDS.map((field) => `#{${field}}`).join(":");

/** Before a program sets a title tmux has the host's name there. */
const TITLE = "#{?#{==:#{pane_title},#{host}},,#{pane_title}}";

const CONTROLS = /[\0-\x1f\x7f-\x9f]/g;
const TITLE_CHARACTERS = 256;

/** Looks at a pane, in one command of tmux between whose parts nothing changes. `signal` gives it up. */
export async function lookAt(
  pane: Pane,
  reader: RowReader,
  depth: Depth,
  signal: AbortSignal,
): Promise<Look> {
  const { target } = pane;
  const said = await pane.run(
    {
      need: "there",
      commands: [
        `display-message -p -t ${target} '${FORMAT}'`,
        capture(target, depth),
        `display-message -p -t ${target} '${TITLE}'`,
      ],
    },
    signal,
  );
  return lookOf(said.toString("utf8"), reader, depth);
}

function capture(target: string, { unlessAs, lines }: Depth): string {
  const screen = `capture-pane -p -e -N -t ${target}`;
  const deep = `${screen} -S -${lines}`;
  if (unlessAs === undefined) return deep;
  const { cols, rows, historySize } = unlessAs;
  const isSame = `#{==:#{pane_width}:#{pane_height}:#{history_size},${cols}:${rows}:${historySize}}`;
  return `if-shell -F -t ${target} '${isSame}' "${screen}" "${deep}"`;
}

async function lookOf(said: string, reader: RowReader, { unlessAs, lines }: Depth): Promise<Look> {
  const [first = "", ...captured] = said.split("\n");
  const fields = first.split(":");
  const text = (name: (typeof FIELDS)[number]) => fields[FIELDS.indexOf(name)] ?? "";
  const number = (name: (typeof FIELDS)[number]) => Number(text(name));
  const is = (name: (typeof FIELDS)[number]) => text(name) === "1";
  const [cols, rows, historySize] = [
    number("pane_width"),
    number("pane_height"),
    number("history_size"),
  ];
  const isSame =
    unlessAs?.cols === cols && unlessAs.rows === rows && unlessAs.historySize === historySize;
  const depth = isSame ? 0 : Math.min(lines, historySize);
  // Behind it come the title and the end of its line.
  if (!(cols > 0 && rows > 0) || captured.length < depth + rows + 2) {
    throw new ActingError("refused", "what tmux says of the pane cannot be understood");
  }
  const read = await reader.read(captured.slice(0, depth + rows), cols);
  const title = captured.slice(depth + rows).join("");
  const shape = shapeOf(text("cursor_shape"));
  const blinking = text("cursor_blinking");
  const paste = text("bracket_paste_flag");
  const mouse = mouseOf(is("mouse_standard_flag"), is("mouse_button_flag"), is("mouse_all_flag"));
  return {
    cols,
    rows,
    historySize,
    historyLimit: number("history_limit"),
    screen: read.slice(depth),
    isAlternate: is("alternate_on"),
    history: read.slice(0, depth),
    cursor: {
      x: number("cursor_x"),
      y: number("cursor_y"),
      isVisible: is("cursor_flag"),
      ...(shape === undefined ? {} : { shape }),
      ...(blinking === "" ? {} : { isBlinking: blinking === "1" }),
    },
    modes: {
      cursorKeys: is("keypad_cursor_flag"),
      keypad: is("keypad_flag"),
      ...(paste === "" ? {} : { bracketedPaste: paste === "1" }),
      ...(mouse === undefined ? {} : { mouse }),
      ...(is("mouse_sgr_flag") ? { mouseEncoding: "sgr" as const } : {}),
      ...(!is("mouse_sgr_flag") && is("mouse_utf8_flag") ? { mouseEncoding: "utf8" as const } : {}),
    },
    title: title.replaceAll(CONTROLS, "").slice(0, TITLE_CHARACTERS),
    ...(is("pane_dead")
      ? { exited: exitedBy(text("pane_dead_status"), text("pane_dead_signal")) }
      : {}),
  };
}

const shapeOf = (word: string): Cursor["shape"] =>
  word === "block" || word === "underline" || word === "bar" ? word : undefined;

function mouseOf(clicks: boolean, drags: boolean, moves: boolean): Modes["mouse"] {
  if (moves) return "moves";
  if (drags) return "drags";
  return clicks ? "clicks" : undefined;
}

function exitedBy(status: string, signal: string): Exited {
  const exit = exitOf(status, signal);
  if (exit?.code !== undefined) return { code: exit.code };
  return exit?.signal === undefined ? {} : { error: `killed by ${exit.signal}` };
}
