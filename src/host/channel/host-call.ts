import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Cells, Count } from "./info.ts";
import { MAX_WAIT_MS } from "./limits.ts";

const Milliseconds = Type.Number({ minimum: 0, maximum: MAX_WAIT_MS });

/** What a read waits for, and for how long at most. A time that runs out is no failure: the read gives what is there. */
export const TerminalWait = Type.Object(
  {
    /** `quiet`: no output for `quietMs`; `exit`: the program has ended and its last output is there; `match`: the text
     * that the read would give has `pattern` in it. */
    until: Type.Union([Type.Literal("quiet"), Type.Literal("exit"), Type.Literal("match")]),
    /** A regular expression of JavaScript, with its flag `m`. */
    pattern: Type.Optional(Type.String()),
    ignoreCase: Type.Optional(Type.Boolean()),
    quietMs: Type.Optional(Milliseconds),
    timeoutMs: Milliseconds,
  },
  { $id: "TerminalWait" },
);
export type TerminalWait = Static<typeof TerminalWait>;

/** The signals that a call may send. */
export const TerminalSignal = Type.Union(
  [
    Type.Literal("SIGHUP"),
    Type.Literal("SIGINT"),
    Type.Literal("SIGQUIT"),
    Type.Literal("SIGKILL"),
    Type.Literal("SIGUSR1"),
    Type.Literal("SIGUSR2"),
    Type.Literal("SIGTERM"),
    Type.Literal("SIGCONT"),
    Type.Literal("SIGSTOP"),
    Type.Literal("SIGTSTP"),
  ],
  { $id: "TerminalSignal" },
);
export type TerminalSignal = Static<typeof TerminalSignal>;

const call = <Op extends string, Fields extends TProperties>(op: Op, fields: Fields) =>
  Type.Object({ op: Type.Literal(op), sessionId: Type.String(), ...fields });

/** Names a call, so that making it again has no second effect and the first one's outcome. */
const key = Type.String();

/** A terminal of the session: its id, its number or its name. */
const target = Type.String();

/** Every call, by its `op`. Each names its session: a terminal of another one is unknown to it. */
export const CALLS = {
  list: call("list", {}),
  open: call("open", {
    key,
    cwd: Type.String(),
    env: Type.Union([Type.String(), Type.Null()]),
    name: Type.Optional(Type.String()),
    /** Typed into the new shell, then Enter. */
    command: Type.Optional(Type.String()),
    /** Runs in place of a shell: the program and its arguments. */
    exec: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 4_096 })),
    cols: Cells,
    rows: Cells,
  }),
  send: call("send", {
    key,
    target,
    /** Names of keys as tmux has them are keys; all else is typed as it stands, nothing in between. */
    keys: Type.Array(Type.String(), { maxItems: 4_096 }),
    /** Whether everything is text. */
    literal: Type.Boolean(),
    /** Whether `keys` is one text to be pasted, and Enter pressed once the program has taken it in. */
    submit: Type.Optional(Type.Literal(true)),
  }),
  cursor: call("cursor", { target }),
  read: call("read", {
    target,
    from: Type.Optional(Count),
    wait: Type.Optional(TerminalWait),
    /** Whether the read cursor stays where it is, as for somebody who only waits. */
    peek: Type.Optional(Type.Literal(true)),
  }),
  capture: call("capture", {
    target,
    /** How many lines of history come before the screen. */
    scrollback: Count,
    escapes: Type.Optional(Type.Boolean()),
    /** Whether rows that the screen's width broke become one line again. */
    joinWrapped: Type.Optional(Type.Boolean()),
  }),
  close: call("close", { key, target }),
  closeSession: call("closeSession", {}),
  /** An empty name takes the name away. */
  rename: call("rename", { target, name: Type.String() }),
  signal: call("signal", { target, signal: TerminalSignal }),
  resize: call("resize", { target, cols: Cells, rows: Cells }),
} as const;

export const HostCall = Type.Union(
  [
    CALLS.list,
    CALLS.open,
    CALLS.send,
    CALLS.cursor,
    CALLS.read,
    CALLS.capture,
    CALLS.close,
    CALLS.closeSession,
    CALLS.rename,
    CALLS.signal,
    CALLS.resize,
  ],
  { $id: "HostCall" },
);
export type HostCall = Static<typeof HostCall>;
