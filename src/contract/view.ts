import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { TerminalId } from "./identifiers.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const Cells = Type.Integer({ minimum: 1, maximum: 65_535 });
const Count = Type.Integer({ minimum: 0, maximum: MAX });
const Colour = Type.Integer({ minimum: 0, maximum: 0xffffff });

/** How much output of a view may be unacknowledged, in bytes, and after how much of it a viewer acknowledges. */
export const VIEW_WINDOW_BYTES = 256 * 1024;
export const VIEW_ACK_BYTES = 64 * 1024;

/** A terminal as a view tells of it, in the words of the viewer channel. */
export const ViewedTerminal = Type.Object(
  {
    /** That of its row. */
    id: TerminalId,
    name: Type.Optional(Type.String()),
    /** The title that the program in it set; empty before it set one. */
    title: Type.String(),
    cols: Cells,
    rows: Cells,
    /** How its program ended; absent while it runs. `error` says it in words where there is no code, such as a signal. */
    exited: Type.Optional(
      Type.Object({
        code: Type.Optional(Type.Integer({ minimum: -MAX, maximum: MAX })),
        error: Type.Optional(Type.String()),
      }),
    ),
    /** Set where its size is another's to say: `resize` is answered with an error. */
    fixedSize: Type.Optional(Type.Literal(true)),
    /** Set where nobody can tell whether its program asked to be told what is pasted. A viewer marks its pastes all the same,
     * and the marks are left out where it had not: then each line of a paste may run. */
    pasteUnknown: Type.Optional(Type.Literal(true)),
    /** Set where the viewer types nothing. */
    readOnly: Type.Optional(Type.Literal(true)),
  },
  { $id: "ViewedTerminal" },
);
export type ViewedTerminal = Static<typeof ViewedTerminal>;

/** The viewer's colours: what programs are told that ask for them. Red, green and blue in a byte each, red highest. */
export const ViewTheme = Type.Object(
  {
    foreground: Colour,
    background: Colour,
    scheme: Type.Union([Type.Literal("light"), Type.Literal("dark")]),
  },
  { $id: "ViewTheme" },
);
export type ViewTheme = Static<typeof ViewTheme>;

const message = <Name extends string, Fields extends TProperties>(type: Name, fields: Fields) =>
  Type.Object({ type: Type.Literal(type), ...fields });

/** What a viewer sends as text. Binary messages are what is typed. */
export const ViewRequest = Type.Union(
  [
    message("resize", { cols: Cells, rows: Cells }),
    /** So many bytes of output have been shown. */
    message("ack", { bytes: Type.Integer({ minimum: 1, maximum: MAX }) }),
    message("theme", ViewTheme.properties),
    /** Ends the terminal. Without `force` not while a job runs in it: that is answered with `busy`. */
    message("close", { force: Type.Optional(Type.Boolean()) }),
  ],
  { $id: "ViewRequest" },
);
export type ViewRequest = Static<typeof ViewRequest>;

/** What a viewer is sent as text. Binary messages are output. */
export const ViewEvent = Type.Union(
  [
    /** The first event. Output follows that shows the terminal as it is. */
    message("attached", { terminal: ViewedTerminal }),
    /** Its title, name or size changed, or its program ended: after the last output. */
    message("changed", { terminal: ViewedTerminal }),
    /** The terminal was closed. */
    message("closed", { terminalId: TerminalId }),
    /** The terminal was not closed: a job runs in it. */
    message("busy", { terminalId: TerminalId, program: Type.Optional(Type.String()) }),
    /** Something was not done, or the terminal cannot be viewed. For people. */
    message("error", { message: Type.String() }),
    /** The viewer fell behind: so much output it was not sent. What follows shows the screen anew. */
    message("skipped", { terminalId: TerminalId, bytes: Count }),
  ],
  { $id: "ViewEvent" },
);
export type ViewEvent = Static<typeof ViewEvent>;
