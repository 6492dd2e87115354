import { type Static, Type } from "@sinclair/typebox";
import { request, response } from "./envelope.ts";
import type { Capability, Role } from "./identifiers.ts";

/** Topics that name one thing of the whole instance. */
export const PLAIN_TOPICS = [
  "inbox",
  "notify",
  "peers",
  "instances",
  "agents",
  "terminals",
  "session.errors",
  "llm.requests",
  "llm.status",
  "auth.records",
  "terminals.usage",
] as const;

/** Topics of one session, written `<topic>:<sid>`. */
export const SESSION_SCOPED_TOPICS = ["session.status", "transcript", "transcript.items"] as const;

/** Topics of one namespace, written `<topic>:<namespace>`. */
export const NAMESPACE_SCOPED_TOPICS = ["kv"] as const;

/** What a namespace may be called. It stands inside a topic's name, so it holds no separator. */
export const NAMESPACE_PATTERN = "[a-z][a-z0-9_]{0,63}";

export type PlainTopic = (typeof PLAIN_TOPICS)[number];
export type SessionScopedTopic = (typeof SESSION_SCOPED_TOPICS)[number];
export type NamespaceScopedTopic = (typeof NAMESPACE_SCOPED_TOPICS)[number];

/** A topic's name without its parameter. */
export type TopicKind = PlainTopic | SessionScopedTopic | NamespaceScopedTopic;

export type TopicName =
  | PlainTopic
  | `${SessionScopedTopic}:${string}`
  | `${NamespaceScopedTopic}:${string}`;

const anyOf = (names: readonly string[]) => names.join("|").replaceAll(".", "\\.");

/** A topic's full name. */
export const Topic = Type.String({
  $id: "Topic",
  pattern: `^(?:${anyOf(PLAIN_TOPICS)}|(?:${anyOf(SESSION_SCOPED_TOPICS)}):[0-9a-f-]{36}|(?:${anyOf(NAMESPACE_SCOPED_TOPICS)}):${NAMESPACE_PATTERN})$`,
});
export type Topic = Static<typeof Topic>;

/** How a frame changes what its reader holds.
 *
 * - `whole`: it replaces everything.
 * - `per_instance_whole`: it replaces what its `instance` stated before.
 * - `element`: it carries the rows that differ, matched by their key; a snapshot replaces the rows of
 *   its `instance`.
 * - `append`: it carries what came after the last one.
 * - `event`: it is an occurrence; nothing is held and there is no snapshot. */
export const TOPIC_GRANULARITIES = [
  "whole",
  "per_instance_whole",
  "element",
  "append",
  "event",
] as const;
export type TopicGranularity = (typeof TOPIC_GRANULARITIES)[number];

export interface TopicAttributes {
  /** Who may subscribe; others are answered `forbidden`. */
  readonly roles: readonly Role[];
  /** What the instance must be capable of; else `capability_unavailable`. */
  readonly capability?: Capability;
  readonly granularity: TopicGranularity;
}

/** Who may subscribe to what, and how its frames fold. */
export const TOPIC_ATTRIBUTES = {
  inbox: { roles: ["session", "user"], granularity: "element" },
  notify: { roles: ["session", "user"], granularity: "event" },
  peers: { roles: ["session", "user"], granularity: "element" },
  instances: { roles: ["session", "user"], granularity: "per_instance_whole" },
  agents: { roles: ["user"], granularity: "element" },
  terminals: { roles: ["user"], granularity: "element" },
  "terminals.usage": { roles: ["user"], granularity: "element" },
  "session.errors": { roles: ["user"], granularity: "per_instance_whole" },
  "llm.requests": {
    roles: ["user"],
    capability: "llm_events",
    granularity: "per_instance_whole",
  },
  "llm.status": { roles: ["user"], capability: "llm_status", granularity: "per_instance_whole" },
  "session.status": { roles: ["user"], granularity: "whole" },
  transcript: { roles: ["user"], granularity: "append" },
  "transcript.items": { roles: ["user"], granularity: "append" },
  kv: { roles: ["user"], granularity: "element" },
  "auth.records": { roles: ["instance"], granularity: "element" },
} as const satisfies Record<TopicKind, TopicAttributes>;

/** The part of a topic's name before its parameter; `undefined` where this generation defines no such
 * topic. */
export function topicKind(topic: string): TopicKind | undefined {
  const head = topic.split(":", 1)[0] ?? "";
  return Object.hasOwn(TOPIC_ATTRIBUTES, head) ? (head as TopicKind) : undefined;
}

/** How the frames of a topic fold, by its full name. */
export function topicGranularity(topic: string): TopicGranularity | undefined {
  const kind = topicKind(topic);
  return kind === undefined ? undefined : TOPIC_ATTRIBUTES[kind].granularity;
}

export const TopicSubscribeArgs = Type.Object({ topic: Topic });
export type TopicSubscribeArgs = Static<typeof TopicSubscribeArgs>;

/** Only acknowledges: the value follows as the first frame, marked `snapshot: true`. */
export const TopicSubscribeResult = Type.Object({ topic: Topic });
export type TopicSubscribeResult = Static<typeof TopicSubscribeResult>;

export const TopicSubscribeRequest = request("topic.subscribe", TopicSubscribeArgs);
export const TopicSubscribeResponse = response("topic.subscribe", TopicSubscribeResult);

export const TopicUnsubscribeArgs = Type.Object({ topic: Topic });
export type TopicUnsubscribeArgs = Static<typeof TopicUnsubscribeArgs>;

export const TopicUnsubscribeResult = Type.Object({ topic: Topic });
export type TopicUnsubscribeResult = Static<typeof TopicUnsubscribeResult>;

export const TopicUnsubscribeRequest = request("topic.unsubscribe", TopicUnsubscribeArgs);
export const TopicUnsubscribeResponse = response("topic.unsubscribe", TopicUnsubscribeResult);
