import { ROW_TOPICS, type RowTopic, type RowTopicShape, type TopicRow } from "../contract/rows.ts";
import type { Feed } from "./feed.ts";
import { encodeElement, encodeFrames } from "./frames.ts";
import { sameJson } from "./same.ts";

/** A topic whose frames always state all that an instance knows, so that there is nothing to miss and
 * no chain to keep. Also serves `element` topics that are empty for good. Its rows have to fit in one
 * frame: the parts of a split one would replace each other. */
export class WholeFeed<Topic extends RowTopic> implements Feed {
  readonly topic: Topic;
  readonly instance: string;
  readonly bookmarks = 0;
  readonly #shape: RowTopicShape;
  #rows: readonly TopicRow[Topic][];
  #position = 0;
  #snapshot: readonly Buffer[] | undefined;
  #change: readonly Buffer[] | undefined;

  constructor(topic: Topic, instance: string, rows: readonly TopicRow[Topic][] = []) {
    this.topic = topic;
    this.instance = instance;
    this.#shape = ROW_TOPICS[topic];
    this.#rows = rows;
  }

  get position(): number {
    return this.#position;
  }

  /** States the rows. Those that say the same as before cost no traffic. Answers whether anything
   * changed. */
  publish(rows: readonly TopicRow[Topic][]): boolean {
    if (sameJson(rows, this.#rows)) return false;
    this.#rows = rows;
    this.#position += 1;
    this.#snapshot = undefined;
    this.#change = undefined;
    return true;
  }

  snapshot(): readonly Buffer[] {
    this.#snapshot ??= this.#encode({ snapshot: true });
    return this.#snapshot;
  }

  since(position: number): readonly Buffer[] | undefined {
    if (position < 0) return undefined;
    if (position === this.#position) return [];
    this.#change ??= this.#encode({});
    return this.#change;
  }

  bookmark(): undefined {
    return undefined;
  }

  forget(): void {}

  #encode(kind: { readonly snapshot?: true }): Buffer[] {
    const { topic, instance } = this;
    return encodeFrames([this.#rows.map(encodeElement)], {
      field: this.#shape.field,
      head: () => ({ topic, ...kind, instance }),
      rest: () => ({}),
    });
  }
}
