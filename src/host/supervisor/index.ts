export {
  connectSupervisor,
  type Greeting,
  type OperateOptions,
  type SupervisorClient,
  type SupervisorOptions,
} from "./client/connect-supervisor.ts";
export { type Refusal, SupervisorError, type SupervisorFailure } from "./client/failure.ts";
export type { ResultOf } from "./client/results.ts";
export { ProtocolError, type ProtocolErrorKind } from "./errors.ts";
export { encodeFrame, FrameReader } from "./frames.ts";
export {
  CAPABILITY_CANCELLATION,
  CAPABILITY_FRAMED_JSON,
  CAPABILITY_TERMINAL_MONITORS,
  CAPABILITY_TERMINAL_SESSIONS,
  MAXIMUM_FRAME_BYTES,
  PROTOCOL_CURRENT,
  PROTOCOL_MINIMUM,
} from "./limits.ts";
export * from "./messages.ts";
export { LOCAL_HELLO, negotiate } from "./negotiate.ts";
