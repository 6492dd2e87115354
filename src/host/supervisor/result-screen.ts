import { type Static, type TProperties, Type } from "@sinclair/typebox";
import type { Frozen } from "./frozen.ts";
import { MAX_ACROSS, MAX_CELLS } from "./limits.ts";
import { SessionFacts } from "./session-facts.ts";

const Is = Type.Boolean();
const Byte = Type.Integer({ minimum: 0, maximum: 255 });

/** A size in cells. */
export const TerminalDimensions = Type.Object(
  {
    rows: Type.Integer({ minimum: 1, maximum: MAX_ACROSS }),
    columns: Type.Integer({ minimum: 1, maximum: MAX_ACROSS }),
  },
  { $id: "TerminalDimensions" },
);

/** The terminal's own, one of its 256, or 24 bits. */
export const CellColour = Type.Union(
  [
    Type.Object({ default: Type.Object({}) }),
    Type.Object({ indexed: Byte }),
    Type.Object({ rgb: Type.Object({ red: Byte, green: Byte, blue: Byte }) }),
  ],
  { $id: "CellColour" },
);

/** How cells look. */
export const CellStyle = Type.Object(
  {
    foreground: CellColour,
    background: CellColour,
    bold: Is,
    faint: Is,
    italic: Is,
    underline: Is,
    inverse: Is,
    strikethrough: Is,
  },
  { $id: "CellStyle" },
);

const run = <Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields) =>
  Type.Object({
    kind: Type.Literal(kind),
    /** Place in the screen's `styles`. */
    style: Type.Integer({ minimum: 0, maximum: MAX_CELLS }),
    /** How many cells; of `wide` ones, how many pairs of cells. */
    count: Type.Integer({ minimum: 1, maximum: MAX_ACROSS }),
    ...fields,
  });

/** The texts of cells: one string where each is one code point, else a text for each cell. */
const Texts = { text: Type.Union([Type.String(), Type.Array(Type.String())]) };

/** Cells of one kind and style that stand side by side: nothing was printed in `blank` ones, `single` ones take a column
 * each, and `wide` ones two, of which the second is not stated. */
export const CellRun = Type.Union([run("blank", {}), run("single", Texts), run("wide", Texts)], {
  $id: "CellRun",
});
export type CellRun = Frozen<Static<typeof CellRun>>;

/** Where the cursor is, counted from 0, and how it looks. */
export const ScreenCursor = Type.Object(
  {
    row: Type.Integer({ minimum: 0, maximum: MAX_ACROSS - 1 }),
    column: Type.Integer({ minimum: 0, maximum: MAX_ACROSS - 1 }),
    visible: Is,
    shape: Type.Union([Type.Literal("block"), Type.Literal("underline"), Type.Literal("bar")]),
    blinking: Is,
  },
  { $id: "ScreenCursor" },
);

/** What the program has asked of the terminal. */
export const ScreenModes = Type.Object(
  {
    insert: Is,
    bracketed_paste: Is,
    mouse_tracking: Is,
    focus_tracking: Is,
    application_cursor_keys: Is,
    application_keypad: Is,
    keyboard_protocol: Is,
    synchronized_updates: Is,
    alternate_screen: Is,
    origin: Is,
    autowrap: Is,
  },
  { $id: "ScreenModes" },
);

/** What a session shows. */
export const ScreenResult = Type.Object(
  {
    session: SessionFacts,
    dimensions: TerminalDimensions,
    cursor: ScreenCursor,
    modes: ScreenModes,
    /** Each style that cells have, once. */
    styles: Type.Array(CellStyle),
    /** The runs of each row, from the left; those of a row are as wide as the screen. */
    cells: Type.Array(Type.Array(CellRun)),
  },
  { $id: "ScreenResult" },
);
export type ScreenResult = Frozen<Static<typeof ScreenResult>>;
