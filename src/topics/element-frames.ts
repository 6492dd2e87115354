import { ROW_TOPICS, type RowTopic, type RowTopicShape } from "../contract/rows.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { Chain } from "./chain.ts";
import { type EncodedElement, encodeFrames, type FrameHead } from "./frames.ts";

/** What a frame says beside its elements. */
export interface Standing {
  /** When the last good reading behind the rows ran. Absent before the first. */
  readonly polledAt?: number | undefined;
  /** Every source, whole. Absent where the topic states none, and in a change that leaves them. */
  readonly sources?: readonly SourceInfo[] | undefined;
}

/** A step of the chain. */
export interface Step {
  readonly from: number;
  readonly to: number;
}

/** Writes the frames of one instance's part of an `element` topic, with the chain in them. Positions are those of the feed. */
export class ElementFrames {
  readonly #topic: RowTopic;
  readonly #instance: string;
  readonly #chain: Chain;
  readonly #field: string | undefined;

  constructor(topic: RowTopic, instance: string, chain: Chain) {
    const shape: RowTopicShape = ROW_TOPICS[topic];
    this.#topic = topic;
    this.#instance = instance;
    this.#chain = chain;
    this.#field = shape.field;
  }

  /** All parts state the position of the snapshot; the later ones are changes that build on it. */
  snapshot(rows: readonly EncodedElement[], seq: number, standing: Standing): Buffer[] {
    return encodeFrames([rows], {
      field: this.#field,
      head: (part) => this.#head(part.first ? { to: seq } : { from: seq, to: seq }, part.last),
      rest: (part) => restOf(standing, part.first),
    });
  }

  /** Only the last part moves the position. Each of the lists begins a part of its own. */
  change(lists: readonly (readonly EncodedElement[])[], step: Step, standing: Standing): Buffer[] {
    const { from, to } = step;
    return encodeFrames(lists, {
      field: this.#field,
      head: ({ last }) => this.#head({ from, to: last ? to : from }, last),
      rest: ({ last }) => restOf(standing, last),
    });
  }

  /** The fields before the data: of a snapshot where there is nothing that the frame builds on. */
  #head({ from, to }: Partial<Step> & Pick<Step, "to">, last: boolean): FrameHead {
    return {
      topic: this.#topic,
      ...(from === undefined ? { snapshot: true } : {}),
      instance: this.#instance,
      epoch: this.#chain.epoch,
      seq: this.#chain.seqAt(to),
      ...(from === undefined ? {} : { prev_seq: this.#chain.seqAt(from) }),
      ...(last ? {} : { more: true }),
    };
  }
}

function restOf({ polledAt, sources }: Standing, withSources: boolean): Record<string, unknown> {
  return {
    ...(polledAt === undefined ? {} : { polled_at: polledAt }),
    ...(withSources && sources !== undefined ? { sources } : {}),
  };
}
