import { type Static, Type } from "@sinclair/typebox";
import { Cursor } from "../monitors/cursor.ts";
import { SessionLifecycle } from "../monitors/definition.ts";

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const RawRange = Type.Object({ start: Cursor, end: Cursor }, { $id: "RawRange" });
export type RawRange = Static<typeof RawRange>;

const Is = Type.Boolean();

/** What every result says of its session. */
export const SessionFacts = Type.Object(
  {
    session_id: Type.String(),
    lifecycle: SessionLifecycle,
    attention: Type.Object({
      attention: Type.Literal("background"),
      write_lease: Type.Literal("none"),
    }),
    backend: Type.Union([Type.Literal("native"), Type.Literal("tmux")]),
    persistence: Type.Union([Type.Literal("process"), Type.Literal("durable")]),
    /** The end of the output. */
    output_cursor: Cursor,
    /** From the end of the last `read` to the end of the output; null where nothing is unread. */
    unread_range: Type.Union([RawRange, Type.Null()]),
    /** What of the unread output is no longer kept; null where nothing is missing. */
    raw_gap: Type.Union([
      Type.Object({ missing_from: Cursor, available_from: Cursor }),
      Type.Null(),
    ]),
    screen_recovery: Type.Object({ unavailable: Type.Literal("missing") }),
    /** Those that are neither paused nor degraded. */
    active_monitor_count: Count,
    /** What can be done with it now. */
    next_actions: Type.Object({
      read: Is,
      screen: Is,
      write: Is,
      wait: Is,
      monitor: Is,
      inspect: Is,
      list: Is,
      resize: Is,
      signal: Is,
      close: Is,
    }),
  },
  { $id: "SessionFacts" },
);
export type SessionFacts = Static<typeof SessionFacts>;

const Nothing = Type.Object({});

/** How a wait ended. */
export const ReturnOutcome = Type.Union(
  [
    Type.Object({ started: Nothing }),
    Type.Object({ condition_met: Nothing }),
    Type.Object({ safety_ceiling: Nothing }),
    Type.Object({ cancelled: Nothing }),
    /** The exit code. */
    Type.Object({ exited: Type.Integer({ minimum: 0, maximum: 255 }) }),
    /** Such as SIGKILL; `closed` where the session was closed, and `session_lost` where it was lost. */
    Type.Object({ signal: Type.String() }),
  ],
  { $id: "ReturnOutcome" },
);
export type ReturnOutcome = Static<typeof ReturnOutcome>;
