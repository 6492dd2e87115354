import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Cursor } from "./cursor.ts";

const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const kind = <Kind extends string, Fields extends TProperties>(name: Kind, fields: Fields) =>
  Type.Object({ kind: Type.Literal(name), ...fields }, { additionalProperties: false });

/** The signals that the dialect knows: those that can be sent, and by which a program may have ended. */
export const TerminalSignal = Type.Union(
  [
    Type.Literal("hangup"),
    Type.Literal("interrupt"),
    Type.Literal("quit"),
    Type.Literal("terminate"),
    Type.Literal("kill"),
  ],
  { $id: "TerminalSignal" },
);
export type TerminalSignal = Static<typeof TerminalSignal>;

/** What a monitor looks for. Patterns match anywhere; in a glob, `*` stands for any text, also over lines, and `?` for one
 * character. The last six have to be asked for time and again. */
export const MonitorCondition = Type.Union(
  [
    kind("process_exit", {}),
    kind("exit_code", {
      exit_code: Type.Integer({ minimum: -2_147_483_648, maximum: 4_294_967_295 }),
    }),
    kind("signal", { signal: TerminalSignal }),
    /** The bytes that the program writes have this text in them. */
    kind("output_contains", { pattern: Type.String() }),
    /** The same for a glob. */
    kind("output_matches", { pattern: Type.String() }),
    kind("output_quiet", { duration_ms: Whole }),
    /** A glob that the text of the screen has in it. */
    kind("screen_matches", { pattern: Type.String() }),
    kind("tcp_ready", { host: Type.String(), port: Type.Integer({ minimum: 0, maximum: 65_535 }) }),
    /** `pattern` is a URL of plain http. Any answer of HTTP counts. */
    kind("http_ready", { pattern: Type.String() }),
    /** Paths are within the workspace; relative ones begin at its root. */
    kind("path_exists", { path: Type.String() }),
    /** Another file, size or time of writing than when the monitor was defined; also that it came or went. */
    kind("path_changed", { path: Type.String() }),
    kind("path_size", { path: Type.String(), minimum_bytes: Whole }),
    /** A command of `/bin/sh` that exits with 0. */
    kind("custom_probe", { command: Type.String(), cwd: Type.String() }),
  ],
  { $id: "MonitorCondition" },
);
export type MonitorCondition = Static<typeof MonitorCondition>;

/** When a monitor tells of itself.
 *
 * - `on_match`: when its condition is first met.
 * - `on_state_change`: then, when it expires, and when the session ends.
 * - `on_exit`: when the session ends.
 * - `every_check`, `every_n_checks`: when it has looked, or so many times.
 * - `interval`: as time goes by, whether it is met or not. */
export const MonitorNotify = Type.Union(
  [
    kind("on_match", {}),
    kind("on_state_change", {}),
    kind("on_exit", {}),
    kind("every_check", {}),
    kind("every_n_checks", { count: Whole }),
    kind("interval", { interval_ms: Whole }),
  ],
  { $id: "MonitorNotify" },
);
export type MonitorNotify = Static<typeof MonitorNotify>;

/** How long a monitor lives. None outlives its session. */
export const MonitorLifetime = Type.Union(
  [
    kind("until_match", {}),
    kind("until_session_end", {}),
    kind("duration", { duration_ms: Whole }),
  ],
  { $id: "MonitorLifetime" },
);
export type MonitorLifetime = Static<typeof MonitorLifetime>;

export const MonitorDefinition = Type.Object(
  {
    condition: MonitorCondition,
    /** For conditions that have to be asked for, and only for those. Null is as if it were left out. */
    check_interval_ms: Type.Optional(Type.Union([Whole, Type.Null()])),
    notify: MonitorNotify,
    lifetime: MonitorLifetime,
  },
  { $id: "MonitorDefinition", additionalProperties: false },
);
export type MonitorDefinition = Static<typeof MonitorDefinition>;

/** What is done with the monitors of a session. */
export const MonitorOperation = Type.Union(
  [
    Type.Object({ kind: Type.Literal("add"), definition: MonitorDefinition }),
    Type.Object({
      kind: Type.Literal("update"),
      monitor_id: Type.String(),
      definition: MonitorDefinition,
    }),
    Type.Object({ kind: Type.Literal("pause"), monitor_id: Type.String() }),
    Type.Object({ kind: Type.Literal("resume"), monitor_id: Type.String() }),
    Type.Object({ kind: Type.Literal("remove"), monitor_id: Type.String() }),
  ],
  { $id: "MonitorOperation" },
);
export type MonitorOperation = Static<typeof MonitorOperation>;

/** How a monitor stands.
 *
 * - `active`: it looks.
 * - `paused`: it does not until it is resumed.
 * - `matched`: its condition was met; it stays so.
 * - `degraded`: output was lost before it could look at it, so it never will again. */
export const MonitorState = Type.Union(
  [
    Type.Literal("active"),
    Type.Literal("paused"),
    Type.Literal("matched"),
    Type.Literal("degraded"),
  ],
  { $id: "MonitorState" },
);
export type MonitorState = Static<typeof MonitorState>;

export const MonitorEventReason = Type.Union(
  [
    Type.Literal("matched"),
    Type.Literal("state_changed"),
    Type.Literal("session_exit"),
    Type.Literal("check"),
    Type.Literal("interval"),
    Type.Literal("expired"),
    Type.Literal("removed"),
    Type.Literal("paused"),
    Type.Literal("resumed"),
    Type.Literal("updated"),
  ],
  { $id: "MonitorEventReason" },
);
export type MonitorEventReason = Static<typeof MonitorEventReason>;

/** How a session stands. */
export const SessionLifecycle = Type.Union(
  [Type.Literal("running"), Type.Literal("exited"), Type.Literal("lost"), Type.Literal("closed")],
  { $id: "SessionLifecycle" },
);
export type SessionLifecycle = Static<typeof SessionLifecycle>;

/** Something that a monitor told of. */
export const MonitorEvent = Type.Object(
  {
    /** Rises from 1 within a session. */
    event_id: Whole,
    monitor_id: Type.String(),
    reason: MonitorEventReason,
    lifecycle: SessionLifecycle,
    /** The end of the output then. */
    cursor: Cursor,
    /** Milliseconds since the Unix epoch. */
    created_at_ms: Whole,
  },
  { $id: "MonitorEvent" },
);
export type MonitorEvent = Static<typeof MonitorEvent>;
