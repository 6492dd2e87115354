import { type Static, Type } from "@sinclair/typebox";
import { MAX_READ_WAIT_MS, SIGNAL_NAMES, type SignalName } from "./acting-limits.ts";
import { request, response } from "./envelope.ts";
import { Pid, TerminalId, Timestamp } from "./identifiers.ts";
import { RemovalReason } from "./sources.ts";
import { TerminalInfo } from "./terminals.ts";

const Signal = Type.Unsafe<SignalName>(Type.Union(SIGNAL_NAMES.map((name) => Type.Literal(name))));

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Cells = Type.Integer({ minimum: 1, maximum: 65_535 });
const Name = Type.String({ maxLength: 256 });

/** Names what is done, so that a request that is made again does nothing a second time: it has the outcome of the first.
 * For where the reply was lost. */
const key = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }));

/** The terminal, by the id of its row. */
const id = TerminalId;

/** The `pid` of the row as the caller saw it: where the row is about another process by now, nothing is done. */
const pid = Type.Optional(Pid);

/** Opens a terminal of the host's own, which outlives the connection. The host is started where none runs. */
export const TerminalOpenArgs = Type.Object({
  key,
  /** An absolute path. Absent: the home of the publisher's user. */
  cwd: Type.Optional(Type.String({ pattern: "^/", maxLength: 4_095 })),
  /** The name of an environment that a person wrote down on the host. Absent: none. */
  env: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** What it is called. Absent: nothing. */
  name: Type.Optional(Name),
  /** Typed into the new shell, then Enter. Not together with `exec`. */
  command: Type.Optional(Type.String({ minLength: 1, maxLength: 65_536 })),
  /** Runs in place of a shell: the program and its arguments. */
  exec: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 4_096 })),
  /** Whose terminals it belongs to. Absent: DEFAULT_SESSION. */
  session: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  /** Its size in cells. Absent: DEFAULT_COLS and DEFAULT_ROWS. */
  cols: Type.Optional(Cells),
  rows: Type.Optional(Cells),
});
export type TerminalOpenArgs = Static<typeof TerminalOpenArgs>;

export const TerminalOpenResult = Type.Object({
  /** Its row follows on the topic. */
  id,
  session: Type.String(),
  /** Its number in the session, by which the commands know it. */
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
export type TerminalOpenResult = Static<typeof TerminalOpenResult>;

/** Types into a terminal. Requests of one connection about one terminal are done in their order. */
export const TerminalSendArgs = Type.Object({
  key,
  id,
  pid,
  /** Names of keys as tmux has them (`Enter`, `C-c`, `Up`) are keys; all else is typed as it stands, nothing in between. */
  keys: Type.Array(Type.String(), { maxItems: 4_096 }),
  /** Whether everything is text. Absent: false. */
  literal: Type.Optional(Type.Boolean()),
  /** Whether `keys` is one text to be pasted, and Enter pressed once the program has taken it in. Absent: false. */
  submit: Type.Optional(Type.Boolean()),
});
export type TerminalSendArgs = Static<typeof TerminalSendArgs>;

export const TerminalSendResult = Type.Object({});
export type TerminalSendResult = Static<typeof TerminalSendResult>;

/** Reads the output of a terminal as plain text. Of a pane of tmux, which keeps no output, what it shows. */
export const TerminalReadArgs = Type.Object({
  id,
  /** An offset of the output in bytes. Absent: where the last read ended, whoever made it. */
  from: Type.Optional(Count),
  /** Whether the next read begins where this one does. Absent: false. */
  peek: Type.Optional(Type.Boolean()),
  /** What is waited for before. A time that runs out is no failure: the reply has what is there. */
  wait: Type.Optional(
    Type.Object({
      /** `quiet`: no output for `quiet_ms`; `exit`: the program has ended and its last output is there; `match`: the text
       * that the read would give has `pattern` in it. */
      until: Type.Union([Type.Literal("quiet"), Type.Literal("exit"), Type.Literal("match")]),
      /** A regular expression of JavaScript, with its flag `m`. For `match` alone, which needs it. */
      pattern: Type.Optional(Type.String({ maxLength: 4_096 })),
      ignore_case: Type.Optional(Type.Boolean()),
      /** For `quiet` alone. Absent: 500. */
      quiet_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_READ_WAIT_MS })),
      timeout_ms: Type.Integer({ minimum: 0, maximum: MAX_READ_WAIT_MS }),
    }),
  ),
});
export type TerminalReadArgs = Static<typeof TerminalReadArgs>;

/** What is absent is not known of a terminal of that scheme, or there was nothing of it. */
export const TerminalReadResult = Type.Object({
  /** Without escape sequences, and as lines were last seen. */
  text: Type.String(),
  /** What the screen shows, where a program uses the whole of it. */
  screen: Type.Optional(Type.String()),
  /** The output that was read, in bytes since the terminal's beginning. */
  from: Type.Optional(Count),
  to: Type.Optional(Count),
  /** Bytes before the text that are no longer kept. */
  skipped: Type.Optional(Count),
  /** How much of the text's beginning was left out, in UTF-16 units. */
  truncated: Type.Optional(Count),
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
  /** The program in front of the shell. */
  foreground: Type.Optional(Type.String()),
});
export type TerminalReadResult = Static<typeof TerminalReadResult>;

/** What a terminal shows, as text. */
export const TerminalCaptureArgs = Type.Object({
  id,
  /** Lines before the screen. Absent: 0. */
  scrollback: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  /** Whether colours and the like are in the text, as escape sequences. Absent: false. */
  escapes: Type.Optional(Type.Boolean()),
  /** Whether rows that the width broke become one line. Absent: false. */
  join_wrapped: Type.Optional(Type.Boolean()),
});
export type TerminalCaptureArgs = Static<typeof TerminalCaptureArgs>;

export const TerminalCaptureResult = Type.Object({
  text: Type.String(),
  /** How much of its beginning was left out, in UTF-16 units. Absent: nothing. */
  truncated: Type.Optional(Count),
});
export type TerminalCaptureResult = Static<typeof TerminalCaptureResult>;

/** Gives a terminal another size. */
export const TerminalResizeArgs = Type.Object({ id, cols: Cells, rows: Cells });
export type TerminalResizeArgs = Static<typeof TerminalResizeArgs>;

/** The size that it has now. */
export const TerminalResizeResult = Type.Object({ cols: Cells, rows: Cells });
export type TerminalResizeResult = Static<typeof TerminalResizeResult>;

/** Sends a signal to the job in front. */
export const TerminalSignalArgs = Type.Object({ key, id, pid, signal: Signal });
export type TerminalSignalArgs = Static<typeof TerminalSignalArgs>;

export const TerminalSignalResult = Type.Object({});
export type TerminalSignalResult = Static<typeof TerminalSignalResult>;

/** Ends what runs in a terminal and takes it away. */
export const TerminalCloseArgs = Type.Object({
  key,
  id,
  pid,
  /** Whether also while a job is in front of its shell, which is `busy` else. Absent: false. */
  force: Type.Optional(Type.Boolean()),
});
export type TerminalCloseArgs = Static<typeof TerminalCloseArgs>;

export const TerminalCloseResult = Type.Object({});
export type TerminalCloseResult = Static<typeof TerminalCloseResult>;

/** Calls a terminal something else. An empty name takes the name away. */
export const TerminalRenameArgs = Type.Object({ id, name: Name });
export type TerminalRenameArgs = Static<typeof TerminalRenameArgs>;

/** The name that it has now; absent where it has none. */
export const TerminalRenameResult = Type.Object({ name: Type.Optional(Type.String()) });
export type TerminalRenameResult = Static<typeof TerminalRenameResult>;

/** Asks what became of a terminal that is not listed any more. */
export const TerminalGoneArgs = Type.Object({ id });
export type TerminalGoneArgs = Static<typeof TerminalGoneArgs>;

export const TerminalGoneResult = Type.Object({
  /** Its row as it was stated last. */
  terminal: TerminalInfo,
  /** When it was found to be gone. */
  removed_at: Timestamp,
  reason: RemovalReason,
});
export type TerminalGoneResult = Static<typeof TerminalGoneResult>;

export const TerminalOpenRequest = request("terminal.open", TerminalOpenArgs);
export const TerminalOpenResponse = response("terminal.open", TerminalOpenResult);
export const TerminalSendRequest = request("terminal.send", TerminalSendArgs);
export const TerminalSendResponse = response("terminal.send", TerminalSendResult);
export const TerminalReadRequest = request("terminal.read", TerminalReadArgs);
export const TerminalReadResponse = response("terminal.read", TerminalReadResult);
export const TerminalCaptureRequest = request("terminal.capture", TerminalCaptureArgs);
export const TerminalCaptureResponse = response("terminal.capture", TerminalCaptureResult);
export const TerminalResizeRequest = request("terminal.resize", TerminalResizeArgs);
export const TerminalResizeResponse = response("terminal.resize", TerminalResizeResult);
export const TerminalSignalRequest = request("terminal.signal", TerminalSignalArgs);
export const TerminalSignalResponse = response("terminal.signal", TerminalSignalResult);
export const TerminalCloseRequest = request("terminal.close", TerminalCloseArgs);
export const TerminalCloseResponse = response("terminal.close", TerminalCloseResult);
export const TerminalRenameRequest = request("terminal.rename", TerminalRenameArgs);
export const TerminalRenameResponse = response("terminal.rename", TerminalRenameResult);
export const TerminalGoneRequest = request("terminal.gone", TerminalGoneArgs);
export const TerminalGoneResponse = response("terminal.gone", TerminalGoneResult);
