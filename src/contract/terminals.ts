import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { InstanceId, Pid, StartTick, TerminalId, Timestamp } from "./identifiers.ts";
import { RemovalReason, SourceInfo } from "./sources.ts";

/** How many arguments of a command are stated, and how many bytes of them in UTF-8. A longer
 * command ends in an argument that is one ellipsis. */
export const COMMAND_ARGUMENTS = 64;
export const COMMAND_BYTES = 4_096;

/** How many bytes of a working directory are stated, and how many characters of a name or title. */
export const CWD_BYTES = 4_096;
export const NAME_CHARACTERS = 256;

/** How finely `activity_at` is stated: a busy terminal changes its row once in this time and not at
 * every line it prints. */
export const ACTIVITY_STEP_MS = 60_000;

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Cells = Type.Integer({ minimum: 1, maximum: 65_535 });

/** One terminal of a host.
 *
 * It exists whether or not an agent runs in it, and outlives those that do: which session is in it
 * is derived by matching `instance` and `pid` with the `agents` topic. A row is identified by
 * `instance` and `id`. Every field but the first four is absent where it is not known. */
export const TerminalInfo = Type.Object(
  {
    /** The publisher that read it, on whose host its pids are. */
    instance: InstanceId,
    id: TerminalId,
    /** `running`, `dead` (ended and still shown by its manager), else the manager's own word. */
    state: Type.String(),
    /** What `pid` runs, as argv; of a terminal whose process has ended what it ran, where the publisher saw that.
     * Empty where it is not known. */
    command: Type.Array(Type.String()),
    /** The working directory of `pid`, or of the process that has ended. */
    cwd: Type.Optional(Type.String()),
    /** The process that answers whose terminal it is: the agent's where one runs in it, else the
     * one that the manager started. A `dead` terminal has none. */
    pid: Type.Optional(Pid),
    /** When `pid` started. */
    started_at: Type.Optional(Timestamp),
    /** The same instant as the kernel counts it, which tells a pid from its later reuse. */
    start_tick: Type.Optional(StartTick),
    /** The process that the manager started, where `pid` is another one. */
    root_pid: Type.Optional(Pid),
    /** The device that the terminal's programs have as their controlling terminal. */
    tty: Type.Optional(Type.String()),
    /** What people call it: for tmux `session:window.pane`. Never an identity. */
    name: Type.Optional(Type.String()),
    /** The title that the program in it set. Text from a stranger. */
    title: Type.Optional(Type.String()),
    /** The name of the program in front, where it has been another job than `pid`'s own for a while. */
    foreground: Type.Optional(Type.String()),
    cols: Type.Optional(Cells),
    rows: Type.Optional(Cells),
    /** How many clients show it now. */
    viewers: Type.Optional(Count),
    /** Whether a bell rang in it that nobody has looked at. */
    bell: Type.Optional(Type.Boolean()),
    /** When it last printed something, in steps of ACTIVITY_STEP_MS. */
    activity_at: Type.Optional(Timestamp),
    /** How its process ended: the exit status, or the signal's name such as `SIGKILL`. */
    exit_code: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
    exit_signal: Type.Optional(Type.String({ pattern: "^SIG[A-Z0-9+-]+$" })),
  },
  { $id: "TerminalInfo" },
);
export type TerminalInfo = Static<typeof TerminalInfo>;

/** Says that a row is gone. To leave it out would not do: rows that a change does not name stay as they are. */
export const TerminalRemoved = Type.Object(
  {
    instance: InstanceId,
    id: TerminalId,
    removed: Type.Literal(true),
    removed_at: Type.Optional(Timestamp),
    reason: Type.Optional(RemovalReason),
  },
  { $id: "TerminalRemoved" },
);
export type TerminalRemoved = Static<typeof TerminalRemoved>;

/** What a frame carries. A row that also says `removed: true` is a removal. */
export const TerminalElement = Type.Union([TerminalInfo, TerminalRemoved], {
  $id: "TerminalElement",
});
export type TerminalElement = Static<typeof TerminalElement>;

/** The `terminals` topic: the rows that changed, matched by `instance` and `id`. For the `user` role
 * alone: a terminal belongs to the host, not to a session that may run in another one. */
export const TerminalsFrame = topicFrame(
  "terminals",
  Type.Object({
    terminals: Type.Array(TerminalElement),
    /** When the terminals were last read with success. A publisher that has not managed that yet leaves it out. */
    polled_at: Type.Optional(Timestamp),
    /** Every source, whole; absent means unchanged. */
    sources: Type.Optional(Type.Array(SourceInfo)),
  }),
);
export type TerminalsFrame = Static<typeof TerminalsFrame>;
