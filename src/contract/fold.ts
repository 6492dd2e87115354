import type { TopicFrame } from "./envelope.ts";
import {
  isRemoval,
  ROW_TOPICS,
  type RowTopic,
  type RowTopicShape,
  rowKey,
  type TopicRow,
} from "./rows.ts";
import type { SourceInfo } from "./sources.ts";

/** What a reader holds of one instance's part of a topic. */
export interface InstanceRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Where the rows stand. Absent from a publisher that keeps no chain. */
  readonly epoch?: string;
  readonly seq?: number;
  /** When the last reading that reached the reader ran, in the publisher's clock. */
  readonly polledAt?: number;
  /** How the publisher's sources stand. Absent where it does not say. */
  readonly sources?: readonly SourceInfo[];
  /** True between the parts of a split frame: the rows are neither the old ones nor yet the new. */
  readonly partial: boolean;
}

/** What a reader holds of a topic, by instance. */
export type FoldState<Row> = ReadonlyMap<string, InstanceRows<Row>>;

/** The outcome of one frame.
 *
 * - `folded`: it is in the state.
 * - `hole`: it builds on a position that the reader does not hold, so a frame was missed. The state is
 *   unchanged: subscribe again.
 * - `foreign`: it is of another topic, or its data is not that topic's. The state is unchanged. */
export type FoldOutcome = "folded" | "hole" | "foreign";

export interface FoldStep<Row> {
  readonly state: FoldState<Row>;
  readonly outcome: FoldOutcome;
}

/** What a reader holds before the first frame. */
export function emptyFold<Topic extends RowTopic>(): FoldState<TopicRow[Topic]> {
  return new Map();
}

/** Takes one frame into what a reader holds, as PROTOCOL.md says: a snapshot replaces the rows of the
 * instance that it names and no other; a change sets and removes rows; a change that does not build on
 * the position held is a hole. Pure: the given state stays as it was, and parts that the frame does
 * not touch are shared with the new one. Costs the rows of the frame's instance. */
export function fold<Topic extends RowTopic>(
  topic: Topic,
  state: FoldState<TopicRow[Topic]>,
  frame: TopicFrame,
): FoldStep<TopicRow[Topic]> {
  const shape: RowTopicShape = ROW_TOPICS[topic];
  const elements = elementsOf(shape, frame);
  if (frame.topic !== topic || elements === undefined) return { state, outcome: "foreign" };
  const held = state.get(frame.instance);
  const whole = shape.key === undefined;
  if (frame.snapshot !== true && !continues(held, frame)) return { state, outcome: "hole" };

  const rows = new Map(frame.snapshot === true || whole ? undefined : held?.rows);
  elements.forEach((element, index) => {
    const key = rowKey(shape, element) ?? String(index);
    if (isRemoval(element)) rows.delete(key);
    else rows.set(key, element as TopicRow[Topic]);
  });
  const next = new Map(state);
  next.set(frame.instance, { rows, ...standing(frame, held), partial: frame.more === true });
  return { state: next, outcome: "folded" };
}

/** The rows of all instances, each instance's in the order in which they were stated first. */
export function foldedRows<Row>(state: FoldState<Row>): Row[] {
  return [...state.values()].flatMap((held) => [...held.rows.values()]);
}

/** Whether a change builds on what is held. Without a chain there is nothing to check: a change from an
 * instance that was not heard of starts empty. */
function continues(held: InstanceRows<unknown> | undefined, frame: TopicFrame): boolean {
  if (frame.epoch === undefined && frame.prev_seq === undefined) return held?.epoch === undefined;
  return held !== undefined && held.epoch === frame.epoch && held.seq === frame.prev_seq;
}

interface Data {
  readonly polled_at?: number;
  readonly sources?: readonly SourceInfo[];
}

function standing(frame: TopicFrame, held: InstanceRows<unknown> | undefined) {
  const { polled_at, sources } = frame.data as Data;
  // A snapshot states everything anew: what it leaves out is not known of it.
  const before = frame.snapshot === true ? undefined : held;
  const epoch = frame.epoch ?? before?.epoch;
  const seq = frame.seq ?? before?.seq;
  const polledAt = polled_at ?? before?.polledAt;
  const known = sources ?? before?.sources;
  return {
    ...(epoch === undefined ? {} : { epoch }),
    ...(seq === undefined ? {} : { seq }),
    ...(polledAt === undefined ? {} : { polledAt }),
    ...(known === undefined ? {} : { sources: known }),
  };
}

function elementsOf(shape: RowTopicShape, frame: TopicFrame): readonly object[] | undefined {
  const { data } = frame;
  if (typeof data !== "object" || data === null) return undefined;
  const list = shape.field === undefined ? data : (data as Record<string, unknown>)[shape.field];
  if (!Array.isArray(list)) return undefined;
  return list.every((element) => typeof element === "object" && element !== null)
    ? list
    : undefined;
}
