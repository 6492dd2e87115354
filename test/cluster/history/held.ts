import type { TopicFrame } from "../../../src/contract/envelope.ts";
import { isRemoval, ROW_TOPICS, type RowTopicShape } from "../../../src/contract/rows.ts";
import type { SourceInfo } from "../../../src/contract/sources.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What a reader holds of one instance's part of a topic. Folded by a few lines of the checker's own: what the product folds
 * by is under test too. */
export interface Held {
  readonly epoch: string | undefined;
  readonly seq: number | undefined;
  readonly rows: ReadonlyMap<unknown, Row>;
  readonly sources: readonly SourceInfo[];
  readonly polledAt: number | undefined;
  /** Between the parts of a split frame. */
  readonly isPartial: boolean;
  /** Between the parts of a snapshot, and right after. */
  readonly isSnapshot: boolean;
  /** The rows were taken away since the instance is lost or was stopped, and nothing was stated since. */
  readonly isLost: boolean;
}

export const NOTHING: Held = {
  epoch: undefined,
  seq: undefined,
  rows: new Map(),
  sources: [],
  polledAt: undefined,
  isPartial: false,
  isSnapshot: false,
  isLost: false,
};

/** The elements of a frame, rows and removals. */
export function elementsOf(frame: TopicFrame): readonly Row[] {
  const { field, key }: RowTopicShape = Reflect.get(ROW_TOPICS, frame.topic) ?? {};
  if (field === undefined || key === undefined) return [];
  const elements: unknown = Reflect.get(Object(frame.data), field);
  return Array.isArray(elements) ? elements : [];
}

/** What tells the rows of one instance apart: the last part of their identity. */
function keyOf(topic: string, row: Row): unknown {
  const { key }: RowTopicShape = Reflect.get(ROW_TOPICS, topic) ?? {};
  return row[key?.at(-1) ?? "id"];
}

export const isGone = (element: Row): boolean => isRemoval(element);

const LOSSES: readonly unknown[] = ["instance_lost", "instance_stopped"];

/** Whether a frame takes rows away since their instance is lost or was stopped. */
export const isLoss = (frame: TopicFrame): boolean => {
  const elements = elementsOf(frame);
  return (
    elements.length > 0 &&
    elements.every((element) => isGone(element) && LOSSES.includes(element["reason"]))
  );
};

/** Whether a snapshot states nothing of an instance that is lost already. */
const isOfLost = (frame: TopicFrame, sources: readonly SourceInfo[] = []) =>
  elementsOf(frame).length === 0 && sources.some(({ error }) => error?.code === "instance_silent");

/** What is held after a frame, whether or not the frame may follow. */
export function folded(before: Held, frame: TopicFrame): Held {
  const { snapshot, topic, more } = frame;
  const data: { polled_at?: number; sources?: SourceInfo[] } = Object(frame.data);
  const base = snapshot === true ? NOTHING : before;
  const rows = new Map(base.rows);
  for (const element of elementsOf(frame)) {
    if (isGone(element)) rows.delete(keyOf(topic, element));
    else rows.set(keyOf(topic, element), element);
  }
  return {
    epoch: frame.epoch,
    seq: frame.seq,
    rows,
    sources: data.sources ?? base.sources,
    polledAt: data.polled_at ?? base.polledAt,
    isPartial: more === true,
    isSnapshot: snapshot === true || (before.isPartial && before.isSnapshot),
    isLost: isLoss(frame) || (snapshot === true ? isOfLost(frame, data.sources) : base.isLost),
  };
}
