import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { MonitorDefinition, MonitorEvent } from "./definition.ts";
import { MAX_EVENTS, MAX_MONITORS } from "./limits.ts";

/* What is written down of the monitors of a session, so that another process goes on with them. Times are of the wall clock,
 * in epoch milliseconds; offsets are of the session's output. */

const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.Number();
const Digits = Type.String({ pattern: "^-?[0-9]{1,30}$" });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Where a watch was. Each has what it needs. */
export const SavedWatch = Type.Object({
  /** From where on output counts. */
  from: Type.Optional(Whole),
  /** What its matcher held. */
  matcher: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 0xffff_ffff }))),
  /** Silence counts from here at the earliest. */
  since_ms: Type.Optional(Time),
  /** Whether this silence was told of. */
  is_told: Type.Optional(Type.Boolean()),
  /** When it is asked next. */
  due_ms: Type.Optional(Time),
});
export type SavedWatch = Static<typeof SavedWatch>;

/** A definition with what was found where it points. */
export const SavedDefinition = Type.Object({
  definition: MonitorDefinition,
  place: orNull(Type.Object({ root: Type.String(), path: Type.String() })),
  facts: orNull(
    Type.Object({
      identity: Type.String(),
      size: Digits,
      written_at_ns: Digits,
      is_folder: Type.Boolean(),
    }),
  ),
});
export type SavedDefinition = Static<typeof SavedDefinition>;

export const SavedMonitor = Type.Object({
  monitor_id: Type.String({ pattern: "^monitor-[1-9][0-9]{0,14}$" }),
  checked: SavedDefinition,
  state: Type.Union([Type.Literal("active"), Type.Literal("paused"), Type.Literal("degraded")]),
  has_matched: Type.Boolean(),
  checks: Whole,
  /** The end of its lifetime, where that has one of its own. */
  ends_at_ms: orNull(Time),
  /** When it tells next of time that goes by. */
  interval_due_ms: orNull(Time),
  watch: orNull(SavedWatch),
});
export type SavedMonitor = Static<typeof SavedMonitor>;

export const SavedLog = Type.Object({
  next_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  acknowledged: Whole,
  gap_through: orNull(Whole),
  events: Type.Array(MonitorEvent, { maxItems: MAX_EVENTS }),
});
export type SavedLog = Static<typeof SavedLog>;

export const SavedMonitors = Type.Object({
  last_number: Whole,
  /** How far the matchers have got. */
  position: Whole,
  /** The end of the output when it was last told of, and when that was. */
  told: Whole,
  told_at_ms: Time,
  monitors: Type.Array(SavedMonitor, { maxItems: MAX_MONITORS }),
  log: SavedLog,
});
export type SavedMonitors = Static<typeof SavedMonitors>;
