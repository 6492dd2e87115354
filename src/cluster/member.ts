import { AgentInfo } from "../contract/agents.ts";
import type { InstanceInfo } from "../contract/instances.ts";
import type { RowTopic, TopicRow } from "../contract/rows.ts";
import type { RemovalReason } from "../contract/sources.ts";
import { TerminalInfo } from "../contract/terminals.ts";
import { TerminalUsage } from "../contract/usage.ts";
import { type Validator, validator } from "../contract/validation.ts";
import { RelayedFeed, type RelayedValue, type Silence } from "../topics/relayed.ts";
import { SHARED_TOPICS, type SharedTopic, TOPIC_TOKENS, type TopicToken } from "./subjects.ts";
import type { Value } from "./value.ts";

/** How an instance is: heard of, `there`, not heard from for a heartbeat, not heard from for its lease, or stopped by its own
 * word. */
export type Presence = "met" | "there" | "silent" | "lost" | "stopped";

type Row = TopicRow[SharedTopic];
type AnyFeed = RelayedFeed<SharedTopic>;

const ROWS: Readonly<Record<TopicToken, { check: Validator<never>["check"]; key: string }>> = {
  terminals: { check: validator(TerminalInfo).check as Validator<never>["check"], key: "id" },
  agents: { check: validator(AgentInfo).check as Validator<never>["check"], key: "pid" },
  usage: { check: validator(TerminalUsage).check as Validator<never>["check"], key: "id" },
};

export interface MemberEvents {
  /** A topic has a part of this instance from now on. */
  began(topic: RowTopic, feed: AnyFeed): void;
  /** Rows that were not taken, because they are not this instance's or are none. */
  refused(rows: number): void;
}

/** Another instance: what it states, and whether it is heard from. Times are of the monotonic clock, except `at`. */
export class Member {
  readonly instance: string;
  readonly #events: MemberEvents;
  readonly #feeds = new Map<TopicToken, AnyFeed>();
  host = "";
  presence: Presence = "met";
  heardAt: number;
  /** Of the key of its terminals; 0 before one was read over this connection. */
  revision = 0;
  /** The same over the connection before it: what comes again is no sign of life. */
  revisionBefore = 0;
  #epoch = "";

  constructor(instance: string, heardAt: number, events: MemberEvents) {
    this.instance = instance;
    this.heardAt = heardAt;
    this.#events = events;
  }

  get info(): InstanceInfo {
    return { id: this.instance, host: this.host, reachable: this.isThere };
  }

  get isThere(): boolean {
    return this.presence !== "lost" && this.presence !== "stopped";
  }

  get feeds(): Iterable<AnyFeed> {
    return this.#feeds.values();
  }

  /** Whether what it states of a topic comes from a reading, with nothing left to be read. */
  isRead(token: TopicToken): boolean {
    const feed = this.#feeds.get(token);
    if (feed === undefined || !feed.isRead) return false;
    return !feed.standing.sources?.some(({ status }) => status === "starting");
  }

  /** The bus is out of reach. */
  cutOff(at: number): boolean {
    if (this.revision > 0) this.revisionBefore = this.revision;
    this.revision = 0;
    return this.silence("engine_unreachable", at);
  }

  /** It gave a sign of life at that time. Answers whether it counts as there again only now. */
  heard(at: number): boolean {
    this.heardAt = at;
    const wasThere = this.presence === "there";
    this.presence = "there";
    return !wasThere;
  }

  /** Takes over what it states of a topic. `wanted`: the topics that are read here. Answers whether anything changed. */
  take(token: TopicToken, value: Value, wanted: ReadonlySet<TopicToken>, at: number): boolean {
    this.host = value.host;
    this.#epoch = value.epoch;
    let changed = false;
    for (const each of TOPIC_TOKENS) {
      if (wanted.has(each) && this.#begin(each, at)) changed = true;
    }
    const feed = this.#feeds.get(token);
    if (feed === undefined || !wanted.has(token)) return changed;
    const took =
      value.polled_at === undefined && value.stopped === undefined
        ? feed.await(at)
        : feed.take(this.#relayed(token, value), at);
    return took || changed;
  }

  /** It is heard from, without anything new. */
  back(): boolean {
    return this.#each((feed) => feed.heard());
  }

  silence(why: Silence, at: number): boolean {
    return this.#each((feed) => feed.silence(why, at));
  }

  lose(reason: RemovalReason, at: number): boolean {
    this.presence = reason === "instance_stopped" ? "stopped" : "lost";
    return this.#each((feed) => feed.lose(reason, at));
  }

  /** Nobody reads the topic here any more. */
  forget(token: TopicToken): AnyFeed | undefined {
    const feed = this.#feeds.get(token);
    this.#feeds.delete(token);
    return feed;
  }

  #each(task: (feed: AnyFeed) => boolean): boolean {
    let changed = false;
    for (const feed of this.#feeds.values()) if (task(feed)) changed = true;
    return changed;
  }

  /** Its part of a topic before anything is known of that. */
  #begin(token: TopicToken, at: number): boolean {
    if (this.#feeds.has(token)) return false;
    const topic: SharedTopic = SHARED_TOPICS[token];
    const { key } = ROWS[token];
    const keyOf = (row: Row) => Reflect.get(row, key);
    const feed: AnyFeed = new RelayedFeed(topic, this.instance, this.#epoch, keyOf);
    feed.await(at);
    this.#feeds.set(token, feed);
    this.#events.began(topic, feed);
    return true;
  }

  #relayed(token: TopicToken, value: Value): RelayedValue<Row> {
    const { epoch, seq, bookmarks, polled_at: polledAt, sources, removed } = value;
    const rows = this.#rowsIn(token, value);
    return { epoch, seq, bookmarks, polledAt, sources, rows, removed, stopped: value.stopped };
  }

  /** A row that says to be another instance's is nobody's. */
  #rowsIn(token: TopicToken, { rows }: Value): Row[] {
    const { check } = ROWS[token];
    const taken = rows.filter(
      (row): row is Row => check(row) && Reflect.get(row as object, "instance") === this.instance,
    );
    if (taken.length < rows.length) this.#events.refused(rows.length - taken.length);
    return taken;
  }
}
