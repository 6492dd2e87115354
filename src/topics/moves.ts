import type { Feed } from "./feed.ts";

interface Place {
  readonly position: number;
  readonly bookmarks: number;
}

/** Tells which feeds have moved. There may be thousands, and connections that read all of them: each is looked at once, and not once
 * for each connection. */
export class Moves {
  readonly #places = new WeakMap<Feed, Place>();

  /** Those of the feeds that have moved since the last call, in their order. */
  take(feeds: Iterable<Feed>): Feed[] {
    const moved: Feed[] = [];
    for (const feed of feeds) {
      const { position, bookmarks } = feed;
      const before = this.#places.get(feed);
      if (before?.position === position && before.bookmarks === bookmarks) continue;
      this.#places.set(feed, { position, bookmarks });
      moved.push(feed);
    }
    return moved;
  }
}
