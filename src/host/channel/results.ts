import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Count, TerminalInfo } from "./info.ts";

/** What a read gives. */
export const TerminalRead = Type.Object(
  {
    terminal: TerminalInfo,
    /** The output that was read: bytes since the terminal's beginning. */
    from: Count,
    to: Count,
    /** Without escape sequences, and as lines were last seen that a carriage return let be written over. */
    text: Type.String(),
    /** Bytes after `from` that the host has no longer. */
    skipped: Count,
    /** How much of the text's beginning was left out, in UTF-16 units. */
    truncated: Count,
    /** What the screen shows, where a program uses the whole of it. */
    screen: Type.Optional(Type.String()),
    /** Why the wait ended. */
    waited: Type.Optional(
      Type.Union([
        Type.Literal("quiet"),
        Type.Literal("exit"),
        Type.Literal("match"),
        Type.Literal("timeout"),
        Type.Literal("closed"),
      ]),
    ),
    /** The program in front of the shell; absent at the prompt and once the terminal's program has ended. */
    foreground: Type.Optional(Type.String()),
  },
  { $id: "TerminalRead" },
);
export type TerminalRead = Static<typeof TerminalRead>;

const result = <Kind extends string, Fields extends TProperties>(kind: Kind, fields: Fields) =>
  Type.Object({ kind: Type.Literal(kind), ...fields });

/** What a call comes to, where it succeeds. */
export const HostResult = Type.Union(
  [
    result("list", {
      windows: Type.Array(
        Type.Object({ terminal: TerminalInfo, foreground: Type.Optional(Type.String()) }),
      ),
    }),
    result("terminal", { terminal: TerminalInfo }),
    /** Up to where the terminal has been read. */
    result("cursor", { terminal: TerminalInfo, offset: Count }),
    result("read", TerminalRead.properties),
    result("capture", { terminal: TerminalInfo, text: Type.String() }),
    result("closed", { terminalId: Type.String() }),
    result("done", {}),
  ],
  { $id: "HostResult" },
);
export type HostResult = Static<typeof HostResult>;
