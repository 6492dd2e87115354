export { CorruptFrame, encodeFrame, readFrames } from "./channel/frames.ts";
export { MAX_BACKLOG, READ_TEXT_LIMIT, TERMINAL_OUTPUT_WINDOW } from "./channel/limits.ts";
export * from "./channel/messages.ts";
export type { CallOptions, ResultOf } from "./client/calls.ts";
export {
  type ConnectOptions,
  connectHost,
  type HostConnection,
  type OpenFields,
} from "./client/connect-host.ts";
export { ChannelError, type ChannelFailure } from "./client/failure.ts";
export type { DialOptions, Hello } from "./client/link.ts";
export type { Fields, SessionCalls } from "./client/session.ts";
export type { Closing, Viewer, ViewerOptions } from "./client/viewer.ts";
export type { SessionWatch, WatchOptions } from "./client/watch.ts";
