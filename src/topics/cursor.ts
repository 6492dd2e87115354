import { HOLD_BYTES } from "./backlog.ts";
import { type Feed, NOWHERE } from "./feed.ts";
import type { FrameSink } from "./reader.ts";

const NOTHING: readonly Uint8Array[] = [];

/** Where one reader stands in one feed. It begins with a snapshot, which is made when its connection
 * can take the first part. */
export class Cursor {
  readonly feed: Feed;
  #position = NOWHERE;
  #bookmarks = 0;
  /** The frames of one step that are on their way. They are let go with the last of them. */
  #pending = NOTHING;
  #sent = 0;

  constructor(feed: Feed) {
    this.feed = feed;
  }

  /** Where the reader stands once it has got everything that is pending. */
  get position(): number {
    return this.#position;
  }

  get isBehind(): boolean {
    return (
      this.#pending.length > 0 ||
      this.#position !== this.feed.position ||
      this.#bookmarks !== this.feed.bookmarks
    );
  }

  /** Sends what the reader lacks, as far as its connection takes it. Answers how many frames went. */
  advance(sink: FrameSink): number {
    let frames = 0;
    while (this.isBehind && sink.buffered < HOLD_BYTES) {
      if (this.#pending.length === 0) this.#pending = this.#step();
      const frame = this.#pending[this.#sent];
      this.#sent += 1;
      if (this.#sent >= this.#pending.length) {
        this.#pending = NOTHING;
        this.#sent = 0;
      }
      if (frame === undefined) continue;
      sink.send(frame);
      frames += 1;
    }
    return frames;
  }

  /** The frames of the next step towards the value now: the rows first, a bookmark once they are had. */
  #step(): readonly Uint8Array[] {
    const { feed } = this;
    const from = this.#position;
    this.#position = feed.position;
    if (from !== feed.position) {
      const changes = feed.since(from);
      if (changes !== undefined) return changes;
      // A snapshot says what a bookmark would.
      this.#bookmarks = feed.bookmarks;
      return feed.snapshot();
    }
    this.#bookmarks = feed.bookmarks;
    const bookmark = feed.bookmark();
    return bookmark === undefined ? NOTHING : [bookmark];
  }
}
