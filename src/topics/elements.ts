import {
  ROW_TOPICS,
  type RowTopic,
  type RowTopicShape,
  rowKey,
  type TopicRow,
} from "../contract/rows.ts";
import type { RemovalReason, SourceInfo } from "../contract/sources.ts";
import type { Feed } from "./feed.ts";
import { encodeElement, encodeFrames, type FrameHead } from "./frames.ts";
import { sameJson } from "./same.ts";
import { type Version, VersionedRows } from "./versions.ts";

/** What a topic's rows are now, as its observation states them. */
export interface Publication<Row> {
  readonly rows: Iterable<Row>;
  /** When the last good reading behind the rows ran. Absent before the first. */
  readonly polledAt?: number;
  /** Every source, whole. Absent where the topic states none. */
  readonly sources?: readonly SourceInfo[];
  /** When this is published, and why a row that is not among `rows` is gone. */
  readonly removedAt: number;
  reasonOf(row: Row): RemovalReason;
}

/** The rows of an `element` topic that one instance produces, and the chain of positions on the wire. */
export class ElementFeed<Topic extends RowTopic> implements Feed {
  readonly topic: Topic;
  readonly instance: string;
  readonly #epoch: string;
  readonly #shape: RowTopicShape;
  readonly #rows = new VersionedRows<TopicRow[Topic]>();
  #position = 0;
  /** A reader that stands before this position needs a snapshot. */
  #horizon = 0;
  #polledAt: number | undefined;
  #sources: readonly SourceInfo[] | undefined;
  #sourcesPosition = 0;
  #bookmarks = 0;
  /** The frames that readers need now, by where they stand. */
  readonly #encoded = new Map<string, readonly Buffer[]>();

  constructor(topic: Topic, instance: string, epoch: string) {
    this.topic = topic;
    this.instance = instance;
    this.#epoch = epoch;
    this.#shape = ROW_TOPICS[topic];
  }

  get position(): number {
    return this.#position;
  }

  get bookmarks(): number {
    return this.#bookmarks;
  }

  /** Makes the rows those of the publication. Rows that say the same as before cost no traffic; rows
   * that are not among them are removed. Answers whether anything changed. */
  publish(publication: Publication<TopicRow[Topic]>): boolean {
    const position = this.#position + 1;
    const stated = new Set<string>();
    let changed = false;
    for (const row of publication.rows) {
      const key = this.#keyOf(row);
      stated.add(key);
      if (sameJson(this.#rows.get(key), row)) continue;
      this.#rows.set(key, row, position);
      changed = true;
    }
    for (const { key, row } of [...this.#rows.live()]) {
      if (stated.has(key)) continue;
      this.#rows.remove(key, this.#removalOf(row, publication), position);
      changed = true;
    }
    changed = this.#stand(publication, position) || changed;
    if (changed) this.#moveTo(position);
    return changed;
  }

  /** Says to readers that hold the rows that every source was read again, and how each stands. */
  bookmarkAt(standing: Pick<Publication<never>, "polledAt" | "sources">): void {
    const position = this.#position + 1;
    if (this.#stand(standing, position)) this.#moveTo(position);
    this.#bookmarks += 1;
    this.#encoded.clear();
  }

  /** Forgets all rows without a word, for when nobody reads. Positions go on, so that a reader from
   * before cannot take what follows for a continuation. */
  reset(): void {
    this.#rows.clear();
    this.#polledAt = undefined;
    this.#sources = undefined;
    this.#moveTo(this.#position + 1);
    this.#horizon = this.#position;
  }

  snapshot(): readonly Buffer[] {
    return this.#cached("snapshot", () => {
      const elements = [...this.#rows.live()].map(({ element }) => element);
      return encodeFrames(elements, {
        field: this.#shape.field,
        head: ({ first, last }) => {
          const seq = this.#position;
          return this.#head(first ? { snapshot: true, seq, last } : { prev: seq, seq, last });
        },
        rest: ({ first }) => this.#rest(first),
      });
    });
  }

  since(position: number): readonly Buffer[] | undefined {
    if (position < this.#horizon) return undefined;
    if (position === this.#position) return [];
    return this.#cached(`since ${position}`, () => this.#encodeSince(position));
  }

  bookmark(): Buffer | undefined {
    if (this.#bookmarks === 0) return undefined;
    const frames = this.#cached("bookmark", () =>
      encodeFrames([], {
        field: this.#shape.field,
        head: () => this.#head({ prev: this.#position, seq: this.#position, last: true }),
        rest: () => this.#rest(true),
      }),
    );
    return frames[0];
  }

  forget(position: number): void {
    this.#rows.forget(position);
    this.#horizon = Math.max(this.#horizon, Math.min(position, this.#position));
  }

  #encodeSince(position: number): Buffer[] {
    const changed = this.#rows.since(position);
    const write = (elements: Version<TopicRow[Topic]>["element"][], ends: boolean) =>
      encodeFrames(elements, {
        field: this.#shape.field,
        head: (part) => {
          // Only the last part of a change moves the position.
          const last = part.last && ends;
          return this.#head({ prev: position, seq: last ? this.#position : position, last });
        },
        rest: ({ last }) => this.#rest(last && ends && this.#sourcesPosition > position),
      });
    // Where a handle was freed and names a new thing now, the end of the old one goes first, in a frame
    // of its own: a reader must not take the one for the other.
    const reused = changed.filter(({ restatedAfter = -1 }) => restatedAfter > position);
    const endings = reused.map(({ row }) => encodeElement(this.#removalOf(row as object)));
    const statements = write(
      changed.map(({ element }) => element),
      true,
    );
    return endings.length === 0 ? statements : [...write(endings, false), ...statements];
  }

  #keyOf(row: TopicRow[Topic]): string {
    const key = rowKey(this.#shape, row);
    if (key === undefined) {
      throw new TypeError(`Expected a topic whose rows have keys, got \`${this.topic}\``);
    }
    return key;
  }

  #removalOf(row: object, publication?: Publication<TopicRow[Topic]>): object {
    const key = (this.#shape.key ?? []).map((field) => [field, Reflect.get(row, field)]);
    const removal = { ...Object.fromEntries(key), removed: true };
    if (publication === undefined) return removal;
    const reason = publication.reasonOf(row as TopicRow[Topic]);
    return { ...removal, removed_at: publication.removedAt, reason };
  }

  #stand(
    { polledAt, sources }: Pick<Publication<never>, "polledAt" | "sources">,
    position: number,
  ): boolean {
    if (polledAt !== undefined) this.#polledAt = polledAt;
    if (sources === undefined) return false;
    const moved = !sameJson(sources.map(standingOf), this.#sources?.map(standingOf));
    this.#sources = sources;
    if (moved) this.#sourcesPosition = position;
    return moved;
  }

  #moveTo(position: number): void {
    this.#position = position;
    this.#encoded.clear();
    if (this.#rows.isOverfull) this.forget(position);
  }

  #head(at: { snapshot?: true; prev?: number; seq: number; last: boolean }): FrameHead {
    return {
      topic: this.topic,
      ...(at.snapshot === undefined ? {} : { snapshot: at.snapshot }),
      instance: this.instance,
      epoch: this.#epoch,
      seq: at.seq,
      ...(at.prev === undefined ? {} : { prev_seq: at.prev }),
      ...(at.last ? {} : { more: true }),
    };
  }

  #rest(withSources: boolean): Record<string, unknown> {
    return {
      ...(this.#polledAt === undefined ? {} : { polled_at: this.#polledAt }),
      ...(withSources && this.#sources !== undefined ? { sources: this.#sources } : {}),
    };
  }

  #cached(name: string, encode: () => readonly Buffer[]): readonly Buffer[] {
    let frames = this.#encoded.get(name);
    if (frames === undefined) {
      frames = encode();
      this.#encoded.set(name, frames);
    }
    return frames;
  }
}

/** The part of a source whose change is news: the time of its last good reading moves with every
 * reading and travels in bookmarks. */
const standingOf = ({ polled_at: _, ...standing }: SourceInfo) => standing;
