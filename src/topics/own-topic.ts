import type { RowTopic } from "../contract/rows.ts";
import type { ElementFeed } from "./elements.ts";
import type { Resource } from "./hub.ts";

/** What this host produces of one topic, for who passes it on. */
export interface OwnTopic {
  readonly topic: RowTopic;
  /** What it states. Rows of it are passed on as they are encoded. */
  readonly feed: Pick<
    ElementFeed<RowTopic>,
    "position" | "bookmarks" | "standing" | "elements" | "removedSince"
  >;
  /** Makes the rows of this host, and of no other. */
  readonly resource: Resource;
}
