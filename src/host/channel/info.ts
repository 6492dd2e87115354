import { type Static, Type } from "@sinclair/typebox";
import { MAX_CELLS_ACROSS } from "./limits.ts";

const MAX = Number.MAX_SAFE_INTEGER;

/** A number of columns or rows. */
export const Cells = Type.Integer({ minimum: 1, maximum: MAX_CELLS_ACROSS });

/** How many of something, or a place in a terminal's output in bytes since its beginning. */
export const Count = Type.Integer({ minimum: 0, maximum: MAX });

/** A colour: red, green and blue in a byte each, red highest. */
const Colour = Type.Integer({ minimum: 0, maximum: 0xffffff });

/** A terminal of the host as its clients are told of it. It stays when its program has ended, until it is closed. */
export const TerminalInfo = Type.Object(
  {
    id: Type.String(),
    /** Who it belongs to. To every other session it does not exist. */
    sessionId: Type.String(),
    /** Its number in the session: the lowest that was free, from 1, for as long as it lives. */
    index: Type.Integer({ minimum: 1, maximum: MAX }),
    /** What it was called when it was opened, or since. */
    name: Type.Optional(Type.String()),
    /** Set where a call opened it, as agents do; a person's own have no mark. */
    agent: Type.Optional(Type.Literal(true)),
    cwd: Type.String(),
    /** The name of the environment that it was opened with; `null` for the host's own. */
    env: Type.Union([Type.String(), Type.Null()]),
    /** The title that the program in it set, without control characters; empty before it set one. */
    title: Type.String(),
    /** In milliseconds since the Unix epoch. */
    createdAt: Count,
    cols: Cells,
    rows: Cells,
    /** How its program ended; absent while it runs. `code` is absent where a signal ended it. */
    exited: Type.Optional(
      Type.Object({
        code: Type.Optional(Type.Integer({ minimum: -MAX, maximum: MAX })),
        error: Type.Optional(Type.String()),
      }),
    ),
  },
  { $id: "TerminalInfo" },
);
export type TerminalInfo = Static<typeof TerminalInfo>;

/** The owner's colours: what programs are told that ask for them. */
export const TerminalTheme = Type.Object(
  {
    foreground: Colour,
    background: Colour,
    scheme: Type.Union([Type.Literal("light"), Type.Literal("dark")]),
  },
  { $id: "TerminalTheme" },
);
export type TerminalTheme = Static<typeof TerminalTheme>;
