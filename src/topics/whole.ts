import { ROW_TOPICS, type RowTopic, type RowTopicShape, type TopicRow } from "../contract/rows.ts";
import type { Feed } from "./feed.ts";
import { encodeElement, encodeFrames } from "./frames.ts";

/** A topic whose frames always state all that an instance knows, so that there is nothing to miss and
 * no chain to keep. Also serves `element` topics that are empty for good. */
export class WholeFeed<Topic extends RowTopic> implements Feed {
  readonly topic: Topic;
  readonly instance: string;
  readonly bookmarks = 0;
  readonly #shape: RowTopicShape;
  #rows: readonly TopicRow[Topic][];
  #position = 0;
  #frames: readonly Buffer[] | undefined;

  constructor(topic: Topic, instance: string, rows: readonly TopicRow[Topic][] = []) {
    this.topic = topic;
    this.instance = instance;
    this.#shape = ROW_TOPICS[topic];
    this.#rows = rows;
  }

  get position(): number {
    return this.#position;
  }

  /** States other rows than before. */
  publish(rows: readonly TopicRow[Topic][]): void {
    this.#rows = rows;
    this.#position += 1;
    this.#frames = undefined;
  }

  snapshot(): readonly Buffer[] {
    this.#frames ??= this.#encode(true);
    return this.#frames;
  }

  since(position: number): readonly Buffer[] {
    return position === this.#position ? [] : this.#encode(false);
  }

  bookmark(): undefined {
    return undefined;
  }

  forget(): void {}

  #encode(snapshot: boolean): Buffer[] {
    const { topic, instance } = this;
    return encodeFrames(this.#rows.map(encodeElement), {
      field: this.#shape.field,
      head: ({ first }) => ({ topic, ...(snapshot && first ? { snapshot: true } : {}), instance }),
      rest: () => ({}),
    });
  }
}
