import { ROW_TOPICS, type RowTopic, type RowTopicShape, type TopicRow } from "../contract/rows.ts";
import type { RemovalReason, SourceInfo } from "../contract/sources.ts";
import { type Chain, ownChain } from "./chain.ts";
import { ElementFrames, type Standing } from "./element-frames.ts";
import type { Feed } from "./feed.ts";
import type { EncodedElement } from "./frames.ts";
import { sameJson } from "./same.ts";
import { type Key, VersionedRows } from "./versions.ts";

/** What a topic's rows are now, as its observation states them. It is kept, not copied. */
export interface Publication<Row> extends Standing {
  /** All of them, each of the feed's instance. Of several with one key the first counts. */
  readonly rows: Iterable<Row>;
  /** When this is published, and why a row that is not among `rows` is gone. */
  readonly removedAt: number;
  reasonOf(row: Row): RemovalReason;
  /** Since when it is, where that is known to be earlier. */
  removedAtOf?(row: Row): number | undefined;
}

/** A removal, and the position that it moved the feed to. */
export interface PlacedRemoval {
  readonly element: EncodedElement;
  readonly position: number;
}

/** The rows of an `element` topic that one instance produces, and the chain of positions on the wire. */
export class ElementFeed<Topic extends RowTopic> implements Feed {
  readonly topic: Topic;
  readonly instance: string;
  /** What identifies a row, and the part of it that tells the rows of one instance apart. */
  readonly #identity: readonly string[];
  readonly #keyField: string;
  readonly #chain: Chain;
  readonly #frames: ElementFrames;
  readonly #rows = new VersionedRows<TopicRow[Topic]>();
  #position = 0;
  /** A reader that stands before this position needs a snapshot. */
  #horizon = 0;
  #standing: Standing = {};
  #sourcesPosition = 0;
  #bookmarks = 0;
  /** What was encoded and still holds: the ways to the position by where they begin, which stay the
   * same bytes for every reader; and the two that state the newest times. */
  readonly #changes = new Map<number, readonly Buffer[]>();
  #snapshot: readonly Buffer[] | undefined;
  #bookmark: Buffer | undefined;

  /** `chain`: the epoch of what is produced here, or the chain of another producer. */
  constructor(topic: Topic, instance: string, chain: string | Chain) {
    this.topic = topic;
    this.instance = instance;
    const { key = [] }: RowTopicShape = ROW_TOPICS[topic];
    const keyField = key.find((field) => field !== "instance");
    if (keyField === undefined) {
      throw new TypeError(`Expected a topic whose rows have keys, got \`${topic}\``);
    }
    this.#identity = key;
    this.#keyField = keyField;
    this.#chain = typeof chain === "string" ? ownChain(chain) : chain;
    this.#frames = new ElementFrames(topic, instance, this.#chain);
  }

  get position(): number {
    return this.#position;
  }

  get bookmarks(): number {
    return this.#bookmarks;
  }

  /** What is said beside the rows. */
  get standing(): Standing {
    return this.#standing;
  }

  /** Makes the rows those of the publication. Rows that say the same as before cost no traffic; rows
   * that are not among them are removed. Answers whether anything changed. */
  publish(publication: Publication<TopicRow[Topic]>): boolean {
    // Before, so that the removals of this publication are told whatever their number.
    if (this.#rows.isOverfull) this.forget(this.#position);
    const position = this.#position + 1;
    let changed = this.#stand(publication, position);
    this.#rows.begin();
    for (const row of publication.rows) {
      const key = Reflect.get(row, this.#keyField) as Key;
      if (this.#rows.state(key, row, position)) changed = true;
    }
    for (const { key, row } of this.#rows.unstated()) {
      this.#rows.remove(key, this.#removalOf(row, publication), position);
      changed = true;
    }
    if (changed) this.#moveTo(position);
    return changed;
  }

  /** Says to readers that hold the rows that every source was read again, and how each stands. */
  bookmarkAt(standing: Standing): void {
    this.stand(standing);
    this.#bookmarks += 1;
  }

  /** Says how the sources stand, where the rows are as they were. Answers whether that is news. */
  stand(standing: Standing): boolean {
    const position = this.#position + 1;
    const changed = this.#stand(standing, position);
    if (changed) this.#moveTo(position);
    return changed;
  }

  /** Forgets all rows without a word, for when nobody reads. Positions go on, so that a reader from
   * before cannot take what follows for a continuation. */
  reset(): void {
    this.#rows.clear();
    this.#standing = {};
    this.#moveTo(this.#position + 1);
    this.#horizon = this.#position;
  }

  /** Moves the position where nothing that is stated changed. */
  advance(): void {
    this.#moveTo(this.#position + 1);
  }

  /** All rows as they are encoded, for who passes them on. */
  elements(): EncodedElement[] {
    return Array.from(this.#rows.live(), ({ element }) => element);
  }

  /** What was removed after a position, as far as that is remembered: handles that name another thing by now among it. */
  removedSince(position: number): PlacedRemoval[] {
    return this.#rows
      .since(position)
      .flatMap((version) => (version.row === undefined ? [version] : (version.ending ?? [])))
      .filter((removal) => removal.position > position);
  }

  snapshot(): readonly Buffer[] {
    this.#snapshot ??= this.#frames.snapshot(this.elements(), this.#position, this.#standing);
    return this.#snapshot;
  }

  since(position: number): readonly Buffer[] | undefined {
    if (position < this.#horizon) return undefined;
    if (position === this.#position) return [];
    const frames = this.#changes.get(position) ?? this.#encodeSince(position);
    this.#changes.set(position, frames);
    return frames;
  }

  bookmark(): Buffer | undefined {
    if (this.#bookmarks === 0) return undefined;
    const step = { from: this.#position, to: this.#position };
    this.#bookmark ??= this.#frames.change([[]], step, this.#standing)[0];
    return this.#bookmark;
  }

  forget(position: number): void {
    this.#rows.forget(position);
    this.#chain.forget(position);
    this.#horizon = Math.max(this.#horizon, Math.min(position, this.#position));
  }

  #encodeSince(position: number): readonly Buffer[] {
    const changed = this.#rows.since(position);
    const elements = changed.map(({ element }) => element);
    // Where a handle was freed and names a new thing now, the end of the old one goes first, in a frame
    // of its own: a reader must not take the one for the other.
    const endings = changed.flatMap(({ ending }) =>
      ending !== undefined && ending.position > position ? [ending.element] : [],
    );
    const { polledAt, sources } = this.#standing;
    return this.#frames.change(
      endings.length === 0 ? [elements] : [endings, elements],
      { from: position, to: this.#position },
      this.#sourcesPosition > position ? { polledAt, sources } : { polledAt },
    );
  }

  #removalOf(row: TopicRow[Topic], publication: Publication<TopicRow[Topic]>): object {
    const key = this.#identity.map((field) => [field, Reflect.get(row, field)]);
    return {
      ...Object.fromEntries(key),
      removed: true,
      removed_at: publication.removedAtOf?.(row) ?? publication.removedAt,
      reason: publication.reasonOf(row),
    };
  }

  /** Takes in how the sources stand. Answers whether that is news; a mere time is none. */
  #stand({ polledAt = this.#standing.polledAt, sources }: Standing, position: number): boolean {
    const before = this.#standing.sources;
    this.#standing = { polledAt, sources: sources ?? before };
    this.#snapshot = undefined;
    this.#bookmark = undefined;
    if (sources === undefined || sameJson(sources.map(newsOf), before?.map(newsOf))) return false;
    this.#sourcesPosition = position;
    return true;
  }

  #moveTo(position: number): void {
    this.#position = position;
    this.#changes.clear();
    this.#snapshot = undefined;
    this.#bookmark = undefined;
  }
}

/** The part of a source whose change is news: the time of its last good reading moves with every
 * reading and travels in bookmarks. */
const newsOf = ({ polled_at: _, ...news }: SourceInfo) => news;
