import { type Static, Type } from "@sinclair/typebox";
import { OPERATIONS } from "./operation.ts";

/** What is done with a session, in a word. */
export const TerminalAction = Type.Union(
  Object.values(OPERATIONS).map(({ properties }) => properties.action),
  { $id: "TerminalAction" },
);
export type TerminalAction = Static<typeof TerminalAction>;

/** Why an operation cannot be done as things stand.
 *
 * - `invalid_request`: `resize` to a size that is none, or a `write` of a line that the terminal would cut.
 * - `path_outside_workspace`: a path leads out of the workspace once links are followed.
 * - `unsupported_host`: what was asked for cannot be had on this machine.
 * - `shell_unavailable`: the shell cannot be run.
 * - `pty_unavailable`: no terminal can be opened on this machine.
 * - `startup_failed`: the program was not started.
 * - `session_not_found`: no session has that id.
 * - `invalid_lifecycle`: the session is not in a state for it.
 * - `cursor_gap`: there is no output at that cursor.
 * - `screen_unavailable`: the screen cannot be read.
 * - `monitor_unavailable`: no monitor has that id.
 * - `capacity_exceeded`: there is no room for it now; it may succeed later. */
export const TerminalFailureCode = Type.Union(
  [
    Type.Literal("invalid_request"),
    Type.Literal("path_outside_workspace"),
    Type.Literal("unsupported_host"),
    Type.Literal("shell_unavailable"),
    Type.Literal("pty_unavailable"),
    Type.Literal("startup_failed"),
    Type.Literal("session_not_found"),
    Type.Literal("invalid_lifecycle"),
    Type.Literal("cursor_gap"),
    Type.Literal("screen_unavailable"),
    Type.Literal("monitor_unavailable"),
    Type.Literal("capacity_exceeded"),
  ],
  { $id: "TerminalFailureCode" },
);
export type TerminalFailureCode = Static<typeof TerminalFailureCode>;

/** An operation that was not done. */
export const TerminalFailure = Type.Object(
  {
    action: TerminalAction,
    code: TerminalFailureCode,
    /** As it was asked for; null for what is of no session. */
    session_id: Type.Union([Type.String(), Type.Null()]),
    /** Whether the same request may succeed later. */
    retryable: Type.Boolean(),
    /** For people. */
    message: Type.String(),
  },
  { $id: "TerminalFailure" },
);
export type TerminalFailure = Static<typeof TerminalFailure>;
