import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { MonitorEvent, MonitorState, TerminalSignal } from "../monitors/definition.ts";
import type { Frozen } from "./frozen.ts";
import { MAX_TEXT_BYTES, READ_PAGE_BYTES } from "./limits.ts";
import { TerminalClosePolicy } from "./operation.ts";
import { ScreenResult, TerminalDimensions } from "./result-screen.ts";
import { RawRange, ReturnOutcome, SessionFacts } from "./session-facts.ts";

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The result of an operation on a session. */
const ofSession = <Fields extends TProperties>(name: string, fields: Fields) =>
  Type.Object({ session: SessionFacts, ...fields }, { $id: name });

export const StartResult = ofSession("StartResult", { outcome: ReturnOutcome });
export type StartResult = Frozen<Static<typeof StartResult>>;

export const ReadResult = ofSession("ReadResult", {
  /** At most READ_PAGE_BYTES of output as text, with U+FFFD for what is no UTF-8. */
  raw_output: Type.String({ maxLength: READ_PAGE_BYTES }),
  /** Where they are; null where there is nothing to read at the cursor. */
  raw_range: orNull(RawRange),
});
export type ReadResult = Frozen<Static<typeof ReadResult>>;

export const WriteResult = ofSession("WriteResult", {
  /** Fewer than were given where the program does not read. A paste may have its marks among them. */
  accepted_bytes: Count,
});
export type WriteResult = Frozen<Static<typeof WriteResult>>;

export const WaitResult = ofSession("WaitResult", { outcome: ReturnOutcome });
export type WaitResult = Frozen<Static<typeof WaitResult>>;

export const MonitorResult = ofSession("MonitorResult", {
  /** `monitor-1` and so on; none is given out twice in a session. */
  monitor_id: Type.String(),
});
export type MonitorResult = Frozen<Static<typeof MonitorResult>>;

/** How one monitor stands. */
export const MonitorStanding = Type.Object(
  { monitor_id: Type.String(), state: MonitorState },
  { $id: "MonitorStanding" },
);

export const InspectResult = ofSession("InspectResult", {
  shell: Type.String(),
  /** As it is without symbolic links. */
  cwd: Type.String(),
  /** Null where the shell was started without one. */
  command: orNull(Type.String({ maxLength: MAX_TEXT_BYTES })),
  monitors: Type.Array(MonitorStanding),
  /** A page of them, by their ids. */
  events: Type.Array(MonitorEvent),
  /** The last event that was dropped because there were too many; null where none was. */
  event_gap_through: orNull(Count),
  /** The id that the next event gets. */
  next_event_id: Count,
});
export type InspectResult = Frozen<Static<typeof InspectResult>>;

/** Of all sessions that are not closed. */
export const ListResult = Type.Object(
  { sessions: Type.Array(SessionFacts) },
  { $id: "ListResult" },
);
export type ListResult = Frozen<Static<typeof ListResult>>;

export const ResizeResult = ofSession("ResizeResult", { dimensions: TerminalDimensions });
export type ResizeResult = Frozen<Static<typeof ResizeResult>>;

export const SignalResult = ofSession("SignalResult", { signal: TerminalSignal });
export type SignalResult = Frozen<Static<typeof SignalResult>>;

export const CloseResult = ofSession("CloseResult", { policy: TerminalClosePolicy });
export type CloseResult = Frozen<Static<typeof CloseResult>>;

/** What an operation that was done answers, by its action. */
export const TerminalSuccess = Type.Object(
  {
    success: Type.Union([
      Type.Object({ start: StartResult }),
      Type.Object({ read: ReadResult }),
      Type.Object({ screen: ScreenResult }),
      Type.Object({ write: WriteResult }),
      Type.Object({ wait: WaitResult }),
      Type.Object({ monitor: MonitorResult }),
      Type.Object({ inspect: InspectResult }),
      Type.Object({ list: ListResult }),
      Type.Object({ resize: ResizeResult }),
      Type.Object({ signal: SignalResult }),
      Type.Object({ close: CloseResult }),
    ]),
  },
  { $id: "TerminalSuccess" },
);
export type TerminalSuccess = Frozen<Static<typeof TerminalSuccess>>;
