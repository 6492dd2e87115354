import type { Feed } from "./feed.ts";
import type { FrameSink } from "./reader.ts";

/** Nothing is sent to a connection that has this many bytes waiting: parts of a snapshot wait, and
 * changes fold meanwhile. Large enough to keep a fast network busy between two flushes, small enough
 * that a thousand slow readers fit in memory. */
export const HOLD_BYTES = 1_048_576;

/** Where one reader stands in one feed. */
export class Cursor {
  readonly feed: Feed;
  /** Where the reader stands once it has got everything that is pending. */
  position = 0;
  #bookmarks = 0;
  #pending: readonly Uint8Array[] = [];
  #sent = 0;

  constructor(feed: Feed) {
    this.feed = feed;
    this.restate();
  }

  /** Lets the reader begin anew with a snapshot. */
  restate(): void {
    this.#queue(this.feed.snapshot());
    this.#bookmarks = this.feed.bookmarks;
  }

  get isBehind(): boolean {
    return (
      this.#sent < this.#pending.length ||
      this.position !== this.feed.position ||
      this.#bookmarks !== this.feed.bookmarks
    );
  }

  /** Sends what the reader lacks, as far as its connection takes it. Answers how many frames went. */
  advance(sink: FrameSink): number {
    let frames = this.#drain(sink);
    if (this.#sent < this.#pending.length || sink.buffered >= HOLD_BYTES) return frames;
    if (this.position !== this.feed.position) {
      const missed = this.feed.since(this.position);
      if (missed === undefined) this.restate();
      else this.#queue(missed);
      frames += this.#drain(sink);
      if (this.#sent < this.#pending.length) return frames;
    }
    return frames + this.#sendBookmark(sink);
  }

  #sendBookmark(sink: FrameSink): number {
    if (this.#bookmarks === this.feed.bookmarks) return 0;
    this.#bookmarks = this.feed.bookmarks;
    const bookmark = this.feed.bookmark();
    if (bookmark === undefined) return 0;
    sink.send(bookmark);
    return 1;
  }

  #queue(frames: readonly Uint8Array[]): void {
    this.#pending = frames;
    this.#sent = 0;
    this.position = this.feed.position;
  }

  #drain(sink: FrameSink): number {
    const before = this.#sent;
    while (this.#sent < this.#pending.length && sink.buffered < HOLD_BYTES) {
      sink.send(this.#pending[this.#sent] as Uint8Array);
      this.#sent += 1;
    }
    return this.#sent - before;
  }
}
