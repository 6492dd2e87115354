import { Backlog } from "./backlog.ts";
import type { Cursor } from "./cursor.ts";
import type { Feed } from "./feed.ts";
import type { FrameSink } from "./reader.ts";

/** The way to one connection: what it subscribed to, and whether it takes what it is sent. Times are of the
 * monotonic clock. */
export class Line {
  readonly #sink: FrameSink;
  readonly #order: () => Iterable<string>;
  readonly #topics = new Map<string, Map<Feed, Cursor>>();
  /** The only cursors that may be behind, in the order in which their frames go. Absent from where cursors came or went until it
   * is asked for: thousands may come at once. */
  #lagging: readonly Cursor[] | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  readonly #backlog = new Backlog();

  /** `order` gives the topics in the order in which their frames go within one flush. */
  constructor(sink: FrameSink, order: () => Iterable<string>) {
    this.#sink = sink;
    this.#order = order;
  }

  /** The cursors that are behind. */
  get lagging(): readonly Cursor[] {
    this.#lagging ??= this.#all().filter((cursor) => cursor.isBehind);
    return this.#lagging;
  }

  /** When it was last sent to. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /** Whether it has not taken all it was sent. */
  get waits(): boolean {
    return this.#backlog.waits;
  }

  /** Whether so much waits that nothing is sent to it. */
  get isHeld(): boolean {
    return this.#backlog.isHeld;
  }

  get isBehind(): boolean {
    return this.lagging.length > 0;
  }

  /** Feeds have moved, in the order in which their frames go. */
  meet(moved: readonly Feed[]): void {
    if (this.isBehind) {
      this.#lagging = this.#all();
      return;
    }
    const lagging: Cursor[] = [];
    for (const feed of moved) {
      const cursor = this.#topics.get(feed.topic)?.get(feed);
      if (cursor !== undefined) lagging.push(cursor);
    }
    this.#lagging = lagging;
  }

  join(topic: string, cursors: readonly Cursor[]): void {
    this.#topics.set(topic, new Map(cursors.map((cursor) => [cursor.feed, cursor])));
    this.#lagging = undefined;
  }

  /** Adds one to those of a topic, where it has joined that. */
  add(topic: string, cursor: Cursor): void {
    if (this.#topics.get(topic)?.set(cursor.feed, cursor) !== undefined) this.#lagging = undefined;
  }

  /** Takes away the one that stands in the feed. */
  drop(topic: string, feed: Feed): void {
    if (this.#topics.get(topic)?.delete(feed) === true) this.#lagging = undefined;
  }

  has(topic: string): boolean {
    return this.#topics.has(topic);
  }

  leave(topic: string): boolean {
    const left = this.#topics.delete(topic);
    if (left) this.#lagging = undefined;
    return left;
  }

  topics(): string[] {
    return [...this.#topics.keys()];
  }

  /** Notes what the connection took. Has to come before anything is sent, for afterwards what it took
   * and what it was sent cannot be told apart. */
  look(now: number): void {
    this.#backlog.look(this.#sink.buffered, now);
  }

  /** Whether the connection takes nothing and is to be given up. */
  isStuck(now: number): boolean {
    return this.#backlog.isStuck(now);
  }

  /** Sends what the connection lacks, of one topic or of all. Answers how many frames went. */
  advance(now: number, topic?: string): number {
    const cursors = topic === undefined ? this.lagging : (this.#topics.get(topic)?.values() ?? []);
    let frames = 0;
    for (const cursor of cursors) frames += cursor.advance(this.#sink);
    this.#lagging = this.lagging.filter((cursor) => cursor.isBehind);
    this.#sentAt = now;
    this.#backlog.sent(this.#sink.buffered, now);
    return frames;
  }

  evict(): void {
    this.#sink.evict();
  }

  #all(): Cursor[] {
    return [...this.#order()].flatMap((topic) => [...(this.#topics.get(topic)?.values() ?? [])]);
  }
}
