import { type Cursor, HOLD_BYTES } from "./cursor.ts";
import type { FrameSink } from "./reader.ts";

/** How long a connection with HOLD_BYTES waiting may take nothing before it is given up. */
export const STALL_MS = 10_000;

/** How many bytes may wait on a connection that has taken none of them. */
export const EVICTION_BYTES = 4 * 1_048_576;

/** The way to one connection: what it subscribed to, and whether it takes what it is sent.
 *
 * It knows what waits on the connection from when it last looked, since asking costs as much as the rest of
 * a delivery. Times are of the monotonic clock. */
export class Line {
  readonly #sink: FrameSink;
  readonly #order: () => Iterable<string>;
  readonly #topics = new Map<string, readonly Cursor[]>();
  /** Those of all topics, in the order in which their frames go. */
  #cursors: readonly Cursor[] = [];
  #sentAt = Number.NEGATIVE_INFINITY;
  /** What waited when the connection was looked at or sent to last. Less than that is progress. */
  #backlog = 0;
  /** Since when so much waits and none of it was taken. */
  #stalledAt: number | undefined;
  /** Whether it took any of what waits, since nothing did. */
  #tookSome = false;

  /** `order` gives the topics in the order in which their frames go within one flush. */
  constructor(sink: FrameSink, order: () => Iterable<string>) {
    this.#sink = sink;
    this.#order = order;
  }

  get cursors(): readonly Cursor[] {
    return this.#cursors;
  }

  /** When it was last sent to. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /** Whether it has not taken all it was sent. */
  get waits(): boolean {
    return this.#backlog > 0;
  }

  /** Whether so much waits that nothing is sent to it. */
  get isHeld(): boolean {
    return this.#backlog >= HOLD_BYTES;
  }

  get isBehind(): boolean {
    return this.#cursors.some((cursor) => cursor.isBehind);
  }

  join(topic: string, cursors: readonly Cursor[]): void {
    this.#topics.set(topic, cursors);
    this.#arrange();
  }

  has(topic: string): boolean {
    return this.#topics.has(topic);
  }

  leave(topic: string): boolean {
    const left = this.#topics.delete(topic);
    if (left) this.#arrange();
    return left;
  }

  topics(): string[] {
    return [...this.#topics.keys()];
  }

  /** Notes what the connection took. Has to come before anything is sent, for afterwards what it took
   * and what it was sent cannot be told apart. */
  look(now: number): void {
    const { buffered } = this.#sink;
    const took = buffered < this.#backlog;
    if (took) this.#stalledAt = undefined;
    this.#tookSome = buffered > 0 && (took || this.#tookSome);
    this.#keep(buffered, now);
  }

  /** Whether the connection takes nothing and is to be given up. */
  isStuck(now: number): boolean {
    if (this.#backlog > EVICTION_BYTES && !this.#tookSome) return true;
    return this.#stalledAt !== undefined && now - this.#stalledAt >= STALL_MS;
  }

  /** Sends what the connection lacks, of one topic or of all. Answers how many frames went. */
  advance(now: number, topic?: string): number {
    const cursors = topic === undefined ? this.#cursors : (this.#topics.get(topic) ?? []);
    let frames = 0;
    for (const cursor of cursors) frames += cursor.advance(this.#sink);
    this.#sentAt = now;
    this.#keep(this.#sink.buffered, now);
    return frames;
  }

  evict(): void {
    this.#sink.evict();
  }

  #arrange(): void {
    this.#cursors = [...this.#order()].flatMap((topic) => this.#topics.get(topic) ?? []);
  }

  #keep(backlog: number, now: number): void {
    this.#backlog = backlog;
    if (this.isHeld) this.#stalledAt ??= now;
    else this.#stalledAt = undefined;
  }
}
