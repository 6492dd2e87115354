import type { Clock } from "../time/clock.ts";
import { type Cursor, HOLD_BYTES } from "./cursor.ts";
import type { FrameSink } from "./reader.ts";

/** How long a connection with HOLD_BYTES waiting may take nothing before it is given up. */
export const STALL_MS = 10_000;

/** How many bytes may wait on a connection that has taken none of them. */
export const EVICTION_BYTES = 4 * 1_048_576;

/** The way to one connection: what it subscribed to, and whether it takes what it is sent. */
export class Line {
  readonly #sink: FrameSink;
  readonly #clock: Clock;
  readonly #cursors = new Map<string, readonly Cursor[]>();
  #sentAt = Number.NEGATIVE_INFINITY;
  /** What waited when the connection was looked at or sent to last. Less than that is progress. */
  #backlog = 0;
  /** When it last took something, or had little to take. */
  #movedAt: number;
  /** Whether it took any of what waits, since nothing did. */
  #tookSome = false;

  constructor(sink: FrameSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#movedAt = clock.monotonic();
  }

  /** When it was last sent to, in the monotonic clock. */
  get sentAt(): number {
    return this.#sentAt;
  }

  get buffered(): number {
    return this.#sink.buffered;
  }

  get isBehind(): boolean {
    for (const cursors of this.#cursors.values()) {
      for (const cursor of cursors) if (cursor.isBehind) return true;
    }
    return false;
  }

  /** Whether so much waits that nothing is sent to it. */
  get isHeld(): boolean {
    return this.#sink.buffered >= HOLD_BYTES;
  }

  join(topic: string, cursors: readonly Cursor[]): void {
    this.#cursors.set(topic, cursors);
  }

  has(topic: string): boolean {
    return this.#cursors.has(topic);
  }

  leave(topic: string): boolean {
    return this.#cursors.delete(topic);
  }

  topics(): string[] {
    return [...this.#cursors.keys()];
  }

  *cursors(): Iterable<Cursor> {
    for (const cursors of this.#cursors.values()) yield* cursors;
  }

  /** Sends what the connection lacks, topics in the given order. Answers how many frames went. */
  advance(order: Iterable<string>): number {
    this.#look();
    let frames = 0;
    for (const topic of order) {
      for (const cursor of this.#cursors.get(topic) ?? []) frames += cursor.advance(this.#sink);
    }
    this.#sentAt = this.#clock.monotonic();
    this.#backlog = this.#sink.buffered;
    return frames;
  }

  /** Whether the connection takes nothing and is to be given up. */
  isStuck(): boolean {
    const buffered = this.#look();
    if (buffered > EVICTION_BYTES && !this.#tookSome) return true;
    return this.#clock.monotonic() - this.#movedAt >= STALL_MS;
  }

  evict(): void {
    this.#sink.evict();
  }

  /** Notes what the connection took. Has to come before anything is sent, for afterwards what it took
   * and what it was sent cannot be told apart. */
  #look(): number {
    const { buffered } = this.#sink;
    const took = buffered < this.#backlog;
    if (took || buffered < HOLD_BYTES) this.#movedAt = this.#clock.monotonic();
    this.#tookSome = buffered > 0 && (took || this.#tookSome);
    this.#backlog = buffered;
    return buffered;
  }
}
