import type { AgentElement, AgentInfo } from "./agents.ts";
import type { InstanceInfo } from "./instances.ts";
import type { InboxMessage, PeerInfo } from "./sessions.ts";
import type { TerminalInfo } from "./terminals.ts";
import { type TopicKind, topicKind } from "./topics.ts";
import type { TerminalUsage } from "./usage.ts";

/** The row that each topic with rows holds. */
export interface TopicRow {
  terminals: TerminalInfo;
  "terminals.usage": TerminalUsage;
  agents: AgentInfo;
  peers: PeerInfo;
  instances: InstanceInfo;
  inbox: InboxMessage;
  "session.errors": { sid: string; instance: string };
}

/** The kinds of topic whose frames hold rows that this package can read. */
export type RowTopic = keyof TopicRow;

export interface RowTopicShape {
  /** The field of `data` that holds the rows. Absent where `data` is the list itself. */
  readonly field?: string;
  /** The fields that together tell two rows of one topic apart. Absent where a frame is always whole,
   * so that rows need no identity. */
  readonly key?: readonly string[];
}

/** Where the rows stand in a frame, and what identifies one. */
export const ROW_TOPICS = {
  terminals: { field: "terminals", key: ["instance", "id"] },
  "terminals.usage": { field: "usage", key: ["instance", "id"] },
  agents: { field: "agents", key: ["instance", "pid"] },
  peers: { field: "peers", key: ["instance", "sid"] },
  instances: { field: "instances" },
  inbox: { key: ["mid"] },
  "session.errors": { field: "errors" },
} as const satisfies Partial<Record<TopicKind, RowTopicShape>> & Record<RowTopic, RowTopicShape>;

/** Whether frames of that topic hold rows that `fold` can read. */
export function isRowTopic(topic: string): topic is RowTopic {
  return topicKind(topic) === topic && Object.hasOwn(ROW_TOPICS, topic);
}

/** The identity of a row or removal within its topic, as text. Parts are joined by a space, which no
 * part but the last can hold. */
export function rowKey(shape: RowTopicShape, row: object): string | undefined {
  return shape.key?.map((field) => String((row as Record<string, unknown>)[field])).join(" ");
}

/** Whether an element says that its row is gone. */
export function isRemoval(element: object): element is Extract<AgentElement, { removed: true }> {
  return (element as { removed?: unknown }).removed === true;
}
