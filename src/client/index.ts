export type { WebSocketLike, WebSocketTransportOptions } from "./browser.ts";
export { webSocketTransport } from "./browser.ts";
export type { Cancel, Clock } from "./clock.ts";
export { hostClock } from "./clock.ts";
export type { FailureReason } from "./failure.ts";
export { SubscriptionError } from "./failure.ts";
export { subscribe } from "./subscribe.ts";
export type { Link, LinkEnd, LinkEvents, Transport } from "./transport.ts";
export type {
  AnyRowChange,
  InstanceView,
  Problem,
  RowChange,
  Status,
  SubscribeOptions,
  Subscription,
  SubscriptionEvents,
  TopicView,
} from "./types.ts";
