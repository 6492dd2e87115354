import { type Static, Type } from "@sinclair/typebox";
import { InstanceId } from "./identifiers.ts";

/** The publisher goes down and comes back at the same address. */
export const RestartingEvent = Type.Object(
  { ev: Type.Literal("restarting"), instance: InstanceId },
  { $id: "RestartingEvent" },
);
export type RestartingEvent = Static<typeof RestartingEvent>;

/** Another connection has taken this session's subscription; nothing more arrives on this one. It
 * concerns one connection, so it names no instance. termtopic reads it and never sends it. */
export const SubscribeSupersededEvent = Type.Object(
  { ev: Type.Literal("subscribe_superseded") },
  { $id: "SubscribeSupersededEvent" },
);
export type SubscribeSupersededEvent = Static<typeof SubscribeSupersededEvent>;

/** The host's own network link came or went. termtopic reads it and never sends it. */
export const NetOnlineEvent = Type.Object(
  { ev: Type.Literal("net_online"), instance: InstanceId, online: Type.Boolean() },
  { $id: "NetOnlineEvent" },
);
export type NetOnlineEvent = Static<typeof NetOnlineEvent>;

/** An event about the connection itself rather than about a topic. */
export const ConnectionEvent = Type.Union(
  [RestartingEvent, SubscribeSupersededEvent, NetOnlineEvent],
  { $id: "ConnectionEvent" },
);
export type ConnectionEvent = Static<typeof ConnectionEvent>;
