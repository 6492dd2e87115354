export type { WebSocketLike, WebSocketTransportOptions } from "./browser.ts";
export { webSocketTransport } from "./browser.ts";
export type { CallOutcome } from "./call-failure.ts";
export { CallError } from "./call-failure.ts";
export type { CallOptions } from "./calls.ts";
export type { Cancel, Clock } from "./clock.ts";
export { hostClock } from "./clock.ts";
export type { Client, ConnectOptions } from "./connect.ts";
export { connect } from "./connect.ts";
export type { FailureReason } from "./failure.ts";
export { SubscriptionError } from "./failure.ts";
export type { Status } from "./status.ts";
export { subscribe } from "./subscribe.ts";
export type { TerminalActions } from "./terminal.ts";
export type { Link, LinkEnd, LinkEvents, Transport } from "./transport.ts";
export type {
  AnyRowChange,
  InstanceView,
  Problem,
  RowChange,
  SubscribeOptions,
  Subscription,
  SubscriptionEvents,
  TopicView,
} from "./types.ts";
export type { ViewFailure } from "./view-failure.ts";
export { ViewError } from "./view-failure.ts";
export type { ViewSocket, ViewSocketEvents } from "./view-socket.ts";
export type { TerminalViewer, ViewEvents, ViewOptions } from "./view-terminal.ts";
export { viewTerminal } from "./view-terminal.ts";
