import type { RowTopic, TopicRow } from "../contract/rows.ts";
import type { RemovalReason, SourceInfo } from "../contract/sources.ts";
import { RelayedChain } from "./chain.ts";
import type { Standing } from "./element-frames.ts";
import { ElementFeed } from "./elements.ts";
import type { Key } from "./versions.ts";

/** A row that its producer does not state any more. */
export interface RelayedRemoval {
  readonly key: Key;
  /** The position of the producer that it went with. */
  readonly seq: number;
  readonly at: number;
  readonly reason: RemovalReason;
}

/** What another producer states of one topic. */
export interface RelayedValue<Row> extends Standing {
  readonly epoch: string;
  readonly seq: number;
  /** Grows with every bookmark of the producer. */
  readonly bookmarks: number;
  readonly rows: readonly Row[];
  /** The latest removals. A row that is gone without one among them is taken to be closed. */
  readonly removed: readonly RelayedRemoval[];
  /** It stops, and its rows are gone with it. */
  readonly stopped?: true | undefined;
}

/** Why nothing new can be known of a producer. Its sources are stated as failing with that as the error's code. */
export type Silence = "instance_silent" | "instance_unread" | "engine_unreachable";

const WORDS: Readonly<Record<Silence, string>> = {
  instance_silent: "its publisher has not been heard from",
  instance_unread: "its publisher does not read it",
  engine_unreachable: "the message bus that connects the hosts cannot be reached",
};

/** The rows of an `element` topic that another instance produces. Its chain, times and sources are passed on whole. */
export class RelayedFeed<Topic extends RowTopic> extends ElementFeed<Topic> {
  readonly #chain: RelayedChain;
  readonly #keyOf: (row: TopicRow[Topic]) => Key;
  #seq = 0;
  #bookmarksHeard = 0;
  /** Whether there was a reading of this producer behind what is stated. */
  #isRead = false;
  /** Whether the rows were taken away because nothing was heard: what comes next is stated whole. */
  #isLost = false;
  /** As the producer stated them last. */
  #sources: readonly SourceInfo[] | undefined;
  #silence: Silence | undefined;

  constructor(topic: Topic, instance: string, epoch: string, keyOf: (row: TopicRow[Topic]) => Key) {
    const chain = new RelayedChain(epoch);
    super(topic, instance, chain);
    this.#chain = chain;
    this.#keyOf = keyOf;
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Takes over a value that comes from a reading. One that is older than what is held is passed over. Answers whether there
   * is anything new to send. */
  take(value: RelayedValue<TopicRow[Topic]>, now: number): boolean {
    const isOther = value.epoch !== this.#chain.epoch;
    if (!isOther && this.#isRead && !this.#isLost && value.seq < this.#seq) return false;
    const isWhole = isOther || this.#isLost || !this.#isRead;
    if (isOther || this.#isLost) this.#restart(value.epoch);
    const changed = this.#publish(value, now);
    const moved = isWhole || value.seq !== this.#seq;
    if (moved && !changed) this.advance();
    if (moved) this.#moveChain(value.seq);
    // A value that is stated whole says what a bookmark would.
    if (isWhole) this.#bookmarksHeard = value.bookmarks;
    return this.#bookmark(value) || changed || moved;
  }

  /** Takes over that the producer is there and has read nothing for others, since none of them wanted it. What is held stays.
   * Its position is not taken over: its own readers may hold rows there. */
  await(now: number): boolean {
    if (this.#isRead) return this.silence("instance_unread", now);
    this.#sources ??= [{ scheme: "instance", status: "starting", since_at: now }];
    return this.stand({ sources: this.#sources });
  }

  /** Nothing new can be known for now: what is held may be out of date. Answers whether that is news. */
  silence(why: Silence, now: number): boolean {
    if (this.#silence === why || this.#isLost) return false;
    this.#silence = why;
    const error = { code: why, msg: WORDS[why] };
    return this.#restate((source) =>
      source.status === "ok" ? { ...source, status: "failing", since_at: now, error } : source,
    );
  }

  /** The producer is heard from again, and what is held is what it states. */
  heard(): boolean {
    if (this.#silence === undefined || this.#isLost) return false;
    this.#silence = undefined;
    return this.#restate((source) => source);
  }

  /** Takes all rows away, without moving the producer's chain: it did not say so. */
  lose(reason: RemovalReason, now: number): boolean {
    if (this.#isLost) return false;
    if (reason === "instance_lost") this.silence("instance_silent", now);
    else this.#restate((source) => absentSince(source, now));
    this.#isLost = true;
    return this.publish({ rows: [], removedAt: now, reasonOf: () => reason });
  }

  #restart(epoch: string): void {
    this.reset();
    this.#chain.epoch = epoch;
    this.#seq = 0;
    this.#isLost = false;
    this.#bookmarksHeard = 0;
  }

  #publish(value: RelayedValue<TopicRow[Topic]>, now: number): boolean {
    const { polledAt, sources } = value;
    const ends = new Map<Key, RelayedRemoval>();
    for (const removal of value.removed) {
      if (removal.seq > this.#seq) ends.set(removal.key, removal);
    }
    this.#isRead = true;
    this.#silence = undefined;
    this.#sources = sources;
    const standing = { polledAt, sources };
    const otherwise = value.stopped === true ? "instance_stopped" : "closed";
    const publication = (rows: readonly TopicRow[Topic][]) => ({
      ...standing,
      rows,
      removedAt: now,
      removedAtOf: (row: TopicRow[Topic]) => ends.get(this.#keyOf(row))?.at,
      reasonOf: (row: TopicRow[Topic]) => ends.get(this.#keyOf(row))?.reason ?? otherwise,
    });
    // A handle that was freed and names another thing now: first the one goes, then the other comes.
    const freed = value.rows.some((row) => ends.has(this.#keyOf(row)));
    const went =
      freed && this.publish(publication(value.rows.filter((row) => !ends.has(this.#keyOf(row)))));
    return this.publish(publication(value.rows)) || went;
  }

  #bookmark({ bookmarks, polledAt, sources }: RelayedValue<TopicRow[Topic]>): boolean {
    const isNew = bookmarks > this.#bookmarksHeard;
    this.#bookmarksHeard = bookmarks;
    if (isNew) this.bookmarkAt({ polledAt, sources });
    return isNew;
  }

  #restate(of: (source: SourceInfo) => SourceInfo): boolean {
    return this.stand({ sources: this.#sources?.map(of) });
  }

  #moveChain(seq: number): void {
    this.#seq = seq;
    this.#chain.mark(this.position, seq);
  }
}

/** A source of which it is known that nothing is read there. */
function absentSince({ scheme, name }: SourceInfo, now: number): SourceInfo {
  return { scheme, ...(name === undefined ? {} : { name }), status: "absent", since_at: now };
}
