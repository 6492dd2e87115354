import { InstanceId } from "../contract/identifiers.ts";
import type { RowTopic } from "../contract/rows.ts";
import { isValid } from "../contract/validation.ts";

/** The topics that are shared between instances, by the last token of their keys. */
export const SHARED_TOPICS = {
  terminals: "terminals",
  agents: "agents",
  usage: "terminals.usage",
} as const satisfies Record<string, RowTopic>;

export type TopicToken = keyof typeof SHARED_TOPICS;
export type SharedTopic = (typeof SHARED_TOPICS)[TopicToken];

export const TOPIC_TOKENS = Object.keys(SHARED_TOPICS) as readonly TopicToken[];

/** The key that holds what an instance states of a topic. */
export const topicKey = (instance: string, token: TopicToken) => `${instance}.${token}`;

/** The key of one part of a value that is too long for one. */
export const partKey = (instance: string, token: TopicToken, part: number) =>
  `${topicKey(instance, token)}.${part}`;

/** The key that holds what the subscribers of an instance want of all others. */
export const interestKey = (instance: string) => `${instance}.interest`;

/** The keys of everybody's interest. */
export const EVERY_INTEREST = "*.interest";

/** What a key is about. */
export type KeyPlace =
  | { readonly kind: "topic"; readonly instance: string; readonly token: TopicToken }
  | {
      readonly kind: "part";
      readonly instance: string;
      readonly token: TopicToken;
      readonly part: number;
    }
  | { readonly kind: "interest"; readonly instance: string };

/** `undefined` where it is none of ours. */
export function placeOf(key: string): KeyPlace | undefined {
  const [instance = "", token = "", part, ...more] = key.split(".");
  if (!isValid(InstanceId, instance) || more.length > 0) return undefined;
  if (token === "interest" && part === undefined) return { kind: "interest", instance };
  if (!isToken(token)) return undefined;
  if (part === undefined) return { kind: "topic", instance, token };
  return /^\d{1,3}$/.test(part) ? { kind: "part", instance, token, part: Number(part) } : undefined;
}

const isToken = (token: string): token is TopicToken => Object.hasOwn(SHARED_TOPICS, token);

/** Where an instance is asked to do something. */
export const callSubject = (bucket: string, instance: string) =>
  `termtopic.${bucket}.call.${instance}`;

/** Where an instance is sent what belongs to a view. */
export const viewSubject = (bucket: string, instance: string, view: string) =>
  `termtopic.${bucket}.view.${instance}.${view}`;

/** Where an instance is answered. */
export const inboxPrefix = (instance: string) => `_INBOX.${instance}`;
