import { type Static, Type } from "@sinclair/typebox";
import type { Frozen } from "./frozen.ts";
import { TerminalOperation } from "./operation.ts";
import { ToolOutput } from "./result-output.ts";
import { Whole } from "./whole.ts";

export {
  MonitorCondition,
  MonitorDefinition,
  MonitorEvent,
  MonitorEventReason,
  MonitorLifetime,
  MonitorNotify,
  MonitorOperation,
  MonitorState,
  SessionLifecycle,
  TerminalSignal,
} from "../monitors/definition.ts";
export {
  ReturnCondition,
  TerminalBackend,
  TerminalClosePolicy,
  TerminalKey,
  TerminalOperation,
  TerminalWrite,
} from "./operation.ts";
export { TerminalAction, TerminalFailure, TerminalFailureCode } from "./result-failure.ts";
export { TerminalResult, ToolOutput } from "./result-output.ts";
export {
  CellColour,
  CellRun,
  CellStyle,
  ScreenCursor,
  ScreenModes,
  ScreenResult,
  TerminalDimensions,
} from "./result-screen.ts";
export {
  CloseResult,
  InspectResult,
  ListResult,
  MonitorResult,
  MonitorStanding,
  ReadResult,
  ResizeResult,
  SignalResult,
  StartResult,
  TerminalSuccess,
  WaitResult,
  WriteResult,
} from "./result-success.ts";
export { RawRange, ReturnOutcome, SessionFacts } from "./session-facts.ts";

const Version = Type.Integer({ minimum: 0, maximum: 65_535 });

/** Which versions a side speaks, and what it can do: a sum of the `CAPABILITY_*`. */
export const ProtocolHello = Type.Object(
  {
    minimum: Version,
    current: Version,
    capabilities: Whole,
  },
  { $id: "ProtocolHello" },
);
export type ProtocolHello = Static<typeof ProtocolHello>;

/** What a client sends. A `request_id` is 32 hexadecimal digits; no two operations under way have the same. */
export const HostRequest = Type.Union(
  [
    Type.Object({ kind: Type.Literal("hello"), hello: ProtocolHello }),
    Type.Object({ kind: Type.Literal("ping") }),
    Type.Object({
      kind: Type.Literal("terminal"),
      request_id: Type.String(),
      operation: TerminalOperation,
    }),
    Type.Object({ kind: Type.Literal("cancel"), request_id: Type.String() }),
  ],
  { $id: "HostRequest" },
);
export type HostRequest = Static<typeof HostRequest>;

/** What is wrong with a request that is none of an operation, or with the arguments of one.
 *
 * - `incompatible_protocol`: the two sides have no version in common, or one sends no frames of JSON.
 * - `invalid_request`: a frame that holds no request, or a hello that is none.
 * - `terminal_operation_failed`: an operation that was asked for with what it does not take, or that went wrong. */
export const FailureCode = Type.Union(
  [
    Type.Literal("incompatible_protocol"),
    Type.Literal("invalid_request"),
    Type.Literal("terminal_operation_failed"),
  ],
  { $id: "FailureCode" },
);
export type FailureCode = Static<typeof FailureCode>;

/** What the host answers. */
export const HostResponse = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("hello"),
      hello: ProtocolHello,
      negotiated: Version,
      /** 32 hexadecimal digits; others after each start of the host. */
      instance_id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    }),
    Type.Object({ kind: Type.Literal("pong") }),
    Type.Object({ kind: Type.Literal("terminal"), output: ToolOutput }),
    Type.Object({ kind: Type.Literal("cancelled"), accepted: Type.Boolean() }),
    Type.Object({ kind: Type.Literal("failure"), code: FailureCode, message: Type.String() }),
  ],
  { $id: "HostResponse" },
);
export type HostResponse = Frozen<Static<typeof HostResponse>>;
