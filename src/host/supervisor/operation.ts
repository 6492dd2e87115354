import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { MonitorDefinition, MonitorOperation, TerminalSignal } from "../monitors/definition.ts";
import { Whole } from "./whole.ts";

const words = <Word extends string>(name: string, list: readonly Word[]) =>
  Type.Union(
    list.map((word) => Type.Literal(word)),
    { $id: name },
  );

const Short = Type.Integer({ minimum: 0, maximum: 65_535 });
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const tagged = <Name extends string, Fields extends TProperties>(name: Name, fields: Fields) =>
  Type.Object({ kind: Type.Literal(name), ...fields });

/** Where a session's terminal lives: in the host, or in a tmux server, where it outlives the host. */
export const TerminalBackend = words("TerminalBackend", ["native", "tmux"]);
export type TerminalBackend = Static<typeof TerminalBackend>;

/** What to wait for. `quiet` counts from the last output, or from the start where there is none; `match` is a literal
 * text. */
export const ReturnCondition = Type.Union(
  [
    tagged("started", {}),
    tagged("exit", {}),
    tagged("quiet", { duration_ms: Whole }),
    tagged("match", { pattern: Type.String() }),
  ],
  { $id: "ReturnCondition" },
);
export type ReturnCondition = Static<typeof ReturnCondition>;

export const TerminalKey = words("TerminalKey", [
  "enter",
  "tab",
  "escape",
  "backspace",
  "delete",
  "insert",
  "arrow_up",
  "arrow_down",
  "arrow_left",
  "arrow_right",
  "home",
  "end",
  "page_up",
  "page_down",
]);
export type TerminalKey = Static<typeof TerminalKey>;

/** What is typed. `controls` are the characters that are pressed with Ctrl, by their codes. */
export const TerminalWrite = Type.Union(
  [
    tagged("text", { text: Type.String() }),
    tagged("keys", { keys: Type.Array(TerminalKey) }),
    tagged("controls", { controls: Type.Array(Type.Integer({ minimum: 0, maximum: 255 })) }),
    tagged("paste", { text: Type.String() }),
  ],
  { $id: "TerminalWrite" },
);
export type TerminalWrite = Static<typeof TerminalWrite>;

export const TerminalClosePolicy = words("TerminalClosePolicy", ["graceful", "force"]);

const action = <Name extends string, Fields extends TProperties>(name: Name, fields: Fields) =>
  Type.Object({ action: Type.Literal(name), ...fields });
const ofSession = { session_id: Type.String() };

/** Every operation, by its `action`. Where a value may be null it may be left out as well. */
export const OPERATIONS = {
  start: action("start", {
    backend: TerminalBackend,
    workspace_root: Type.String(),
    cwd: Type.String(),
    initial_monitors: Type.Array(MonitorDefinition),
    command: orNull(Type.String()),
    shell: Type.String(),
    arguments: Type.Array(Type.String()),
    sandbox_profile: orNull(Type.String()),
    rows: Short,
    columns: Short,
    return_when: orNull(ReturnCondition),
    wait_ceiling_ms: orNull(Whole),
  }),
  read: action("read", { ...ofSession, cursor_segment: Whole, cursor_offset: Whole }),
  screen: action("screen", ofSession),
  write: action("write", { ...ofSession, write: TerminalWrite }),
  wait: action("wait", { ...ofSession, return_when: ReturnCondition, wait_ceiling_ms: Whole }),
  monitor: action("monitor", { ...ofSession, operation: MonitorOperation }),
  inspect: action("inspect", {
    ...ofSession,
    after_event_id: orNull(Whole),
    acknowledge_event_id: orNull(Whole),
    max_events: Short,
  }),
  list: action("list", { backend: orNull(TerminalBackend) }),
  resize: action("resize", { ...ofSession, rows: Short, columns: Short }),
  signal: action("signal", { ...ofSession, signal: TerminalSignal }),
  close: action("close", { ...ofSession, close_policy: TerminalClosePolicy }),
} as const;

/** What is done with a session. */
export const TerminalOperation = Type.Union(
  [
    OPERATIONS.start,
    OPERATIONS.read,
    OPERATIONS.screen,
    OPERATIONS.write,
    OPERATIONS.wait,
    OPERATIONS.monitor,
    OPERATIONS.inspect,
    OPERATIONS.list,
    OPERATIONS.resize,
    OPERATIONS.signal,
    OPERATIONS.close,
  ],
  { $id: "TerminalOperation" },
);
export type TerminalOperation = Static<typeof TerminalOperation>;

/** An operation by its action. */
export type Operation<Action extends TerminalOperation["action"]> = Extract<
  TerminalOperation,
  { action: Action }
>;
