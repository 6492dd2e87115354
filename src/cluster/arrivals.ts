import type { KvEntry } from "@nats-io/kv";
import { Joined } from "./parts.ts";
import { type KeyPlace, placeOf, type TopicToken, topicKey } from "./subjects.ts";
import { decodeValue, type Value, ValueFault } from "./value.ts";

type TopicPlace = Extract<KeyPlace, { kind: "topic" }>;
type PartPlace = Extract<KeyPlace, { kind: "part" }>;

/** What is made of entries of the bucket before they are taken over. */
export class Arrivals {
  /** The parts of values by the keys of those. */
  readonly #joined = new Map<string, Joined>();
  /** What was stated last of topics that nobody reads here, by its keys: the first who does is not kept waiting. */
  readonly #kept = new Map<string, KvEntry>();

  part(place: PartPlace, { value }: KvEntry): void {
    this.#joinedOf(place).part(place.part, value);
  }

  keep(entry: KvEntry): void {
    this.#kept.set(entry.key, entry);
  }

  drop(key: string): void {
    this.#kept.delete(key);
  }

  /** What was kept of topics. */
  kept(tokens: ReadonlySet<TopicToken>): KvEntry[] {
    return [...this.#kept.values()].filter(({ key }) => {
      const place = placeOf(key);
      return place?.kind === "topic" && tokens.has(place.token);
    });
  }

  /** What an entry says; `undefined` while parts of it are still to come. Rejects with a ValueFault. */
  async value(place: TopicPlace, entry: KvEntry): Promise<Value | undefined> {
    const bytes = this.#joinedOf(place).whole(entry.value);
    if (bytes === undefined) return undefined;
    const value = await decodeValue(bytes);
    if (value.instance === place.instance) return value;
    throw new ValueFault(`it says to be of the instance ${value.instance}`);
  }

  clear(): void {
    this.#joined.clear();
    this.#kept.clear();
  }

  #joinedOf({ instance, token }: TopicPlace | PartPlace): Joined {
    const key = topicKey(instance, token);
    const joined = this.#joined.get(key) ?? new Joined();
    this.#joined.set(key, joined);
    return joined;
  }
}
