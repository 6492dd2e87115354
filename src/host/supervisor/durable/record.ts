import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { isValid } from "../../../contract/validation.ts";
import { SavedMonitors } from "../../monitors/saved.ts";

const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A session as it is written down for the next host. Times are in epoch milliseconds, offsets in bytes since the session
 * began. What its program gets as variables is not in it. */
export const SessionRecord = Type.Object({
  format: Type.Literal(1),
  index: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  name: orNull(Type.String()),
  created_at_ms: Type.Number(),
  workspace_root: Type.String(),
  cwd: Type.String(),
  shell: Type.String(),
  command: orNull(Type.String()),
  /** What was run, with its arguments. */
  exec: Type.Array(Type.String(), { minItems: 1 }),
  /** What keeps it in its sandbox. Null where it runs free. */
  sandbox: orNull(Type.Array(Type.String(), { minItems: 1 })),
  /** The process that was started. Null before that is known. */
  root: orNull(
    Type.Object({
      pid: Whole,
      start_tick: orNull(Type.String()),
      tty: orNull(Type.String()),
      session: orNull(Whole),
      ended_at_ms: orNull(Type.Number()),
    }),
  ),
  /** Whether its program had ended. */
  is_ended: Type.Boolean(),
  /** The end of the output, and when that came. */
  end: Whole,
  output_at_ms: Type.Number(),
  /** What puts a new terminal into the state that this one was in. */
  primer: Type.String(),
  /** Up to where it was read, by this dialect and by the channel's. */
  read_offset: Whole,
  channel_offset: Whole,
});
export type SessionRecord = Static<typeof SessionRecord>;

/** What a file says. */
export interface ReadRecord {
  /** Absent where that cannot be made out. */
  readonly session: SessionRecord | undefined;
  /** Absent where there are none yet, or that cannot be made out. */
  readonly monitors: SavedMonitors | undefined;
  /** Whether something was there that cannot be made out. */
  readonly isDamaged: boolean;
}

export function recordText(session: SessionRecord, monitors: SavedMonitors | null): string {
  return JSON.stringify({ session, monitors });
}

/** Makes out of a file whatever can be. */
export function readRecord(text: string): ReadRecord {
  const { session, monitors } = partsOf(text);
  const isSession = isValid(SessionRecord, session);
  const areMonitors = isValid(SavedMonitors, monitors);
  return {
    session: isSession ? session : undefined,
    monitors: isSession && areMonitors ? monitors : undefined,
    isDamaged: !isSession || !(areMonitors || monitors === null),
  };
}

function partsOf(text: string): { session?: unknown; monitors?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
