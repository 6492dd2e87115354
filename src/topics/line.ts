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
  /** When frames were last sent, in the monotonic clock. */
  flushedAt = Number.NEGATIVE_INFINITY;
  /** The smallest backlog since the connection last took something, and when that was. */
  #backlog = 0;
  #progressAt: number;
  #tookNothing = true;
  evicted = false;

  constructor(sink: FrameSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#progressAt = clock.monotonic();
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
    let frames = 0;
    for (const topic of order) {
      for (const cursor of this.#cursors.get(topic) ?? []) frames += cursor.advance(this.#sink);
    }
    this.flushedAt = this.#clock.monotonic();
    this.#backlog = Math.max(this.#backlog, this.#sink.buffered);
    return frames;
  }

  /** Gives the connection up if it takes nothing. Answers whether it has to be looked at again soon. */
  checkProgress(): boolean {
    const now = this.#clock.monotonic();
    const { buffered } = this.#sink;
    if (buffered < this.#backlog || buffered === 0) {
      this.#progressAt = now;
      this.#tookNothing = buffered === 0;
    }
    this.#backlog = buffered;
    const stalled = buffered >= HOLD_BYTES && now - this.#progressAt >= STALL_MS;
    const flooded = buffered > EVICTION_BYTES && this.#tookNothing;
    if ((stalled || flooded) && !this.evicted) {
      this.evicted = true;
      this.#sink.evict();
    }
    return buffered >= HOLD_BYTES && !this.evicted;
  }
}
