import type { RowTopic } from "../contract/rows.ts";
import type { Clock } from "../time/clock.ts";
import type { Feed } from "../topics/feed.ts";
import { MAX_INSTANCES } from "./limits.ts";
import { Member } from "./member.ts";
import type { TopicToken } from "./subjects.ts";

/** What was not taken of others: keys that are none of ours, values that cannot be read or claim another instance, rows that do
 * so, and instances beyond MAX_INSTANCES. */
export type Refusal = "key" | "value" | "row" | "instance";

export interface MembersEvents {
  /** A topic has a part of another instance from now on, or has it no more. */
  began(topic: RowTopic, feed: Feed): void;
  ended(topic: RowTopic, feed: Feed): void;
  refused(what: Refusal, count: number, why?: string): void;
}

/** The instances that were heard of, those among them that are gone: at most MAX_INSTANCES. */
export class Members {
  readonly #clock: Clock;
  readonly #events: MembersEvents;
  readonly #members = new Map<string, Member>();

  constructor(clock: Clock, events: MembersEvents) {
    this.#clock = clock;
    this.#events = events;
  }

  [Symbol.iterator](): IterableIterator<Member> {
    return this.#members.values();
  }

  find(instance: string): Member | undefined {
    return this.#members.get(instance);
  }

  /** One that was not heard of before. `undefined` where there is no room. */
  meet(instance: string): Member | undefined {
    if (this.#members.size >= MAX_INSTANCES && !this.#makeRoom()) {
      this.#events.refused("instance", 1, `${MAX_INSTANCES} instances are listed already`);
      return undefined;
    }
    const member = new Member(instance, this.#clock.monotonic(), {
      began: (topic, feed) => this.#events.began(topic, feed),
      refused: (rows) => this.#events.refused("row", rows, `rows under the keys of ${instance}`),
    });
    this.#members.set(instance, member);
    return member;
  }

  /** Nobody reads the topic here any more. */
  forget(token: TopicToken): void {
    for (const member of this.#members.values()) {
      const feed = member.forget(token);
      if (feed !== undefined) this.#events.ended(feed.topic, feed);
    }
  }

  clear(): void {
    for (const member of [...this.#members.values()]) this.#drop(member);
  }

  /** Forgets the one that is gone for longest. */
  #makeRoom(): boolean {
    const gone = [...this.#members.values()].filter(({ isThere }) => !isThere);
    const [oldest] = gone.sort((a, b) => a.heardAt - b.heardAt);
    if (oldest !== undefined) this.#drop(oldest);
    return oldest !== undefined;
  }

  #drop(member: Member): void {
    this.#members.delete(member.instance);
    for (const feed of member.feeds) this.#events.ended(feed.topic, feed);
  }
}
