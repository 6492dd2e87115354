import type { TopicFrame } from "../contract/envelope.ts";
import { emptyFold, type FoldState, fold, type InstanceRows } from "../contract/fold.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import {
  ROW_TOPICS,
  type RowTopic,
  type RowTopicShape,
  rowKey,
  type TopicRow,
} from "../contract/rows.ts";
import { type Difference, difference } from "./difference.ts";
import { weigh } from "./weigh.ts";

/** How one instance's rows stand.
 *
 * - `old`: they are of an earlier connection.
 * - `hole`: a frame was missed.
 * - `parts`: a snapshot is on its way in parts.
 * - `whole`: they are what the instance stated last. */
type Phase = "old" | "hole" | "parts" | "whole";

/** What became of a frame.
 *
 * - `shown`: it is in, with what it changed.
 * - `part`: it is in, and shows when its last part is.
 * - `hole`: it shows that one was missed, which was not known before.
 * - `waiting`: it cannot be used before the snapshot that its instance still owes. */
export type Taken<Row> =
  | ({ readonly outcome: "shown" } & Difference<Row>)
  | { readonly outcome: "part" | "hole" | "waiting" };

/** What is held of one instance. */
interface Held<Row> {
  phase: Phase;
  /** The last whole state. Absent before the first one. */
  shown: InstanceRows<Row> | undefined;
  /** The only rows in which what is folded may differ from what is shown. */
  touched: Set<string>;
  bytes: number;
}

/** What one instance costs beside its rows. */
const INSTANCE_BYTES = 1_024;

const NO_ROWS: ReadonlyMap<string, never> = new Map<string, never>();

/** What is held of one topic: what the frames fold to, and what of it may be shown. */
export class TopicState<Topic extends RowTopic> {
  readonly topic: Topic;
  readonly #shape: RowTopicShape;
  #folded: FoldState<TopicRow[Topic]> = emptyFold<Topic>();
  readonly #held = new Map<InstanceId, Held<TopicRow[Topic]>>();
  #heldBytes = 0;

  constructor(topic: Topic) {
    this.topic = topic;
    this.#shape = ROW_TOPICS[topic];
  }

  get instances(): ReadonlyMap<InstanceId, Readonly<Held<TopicRow[Topic]>>> {
    return this.#held;
  }

  /** About how much memory the rows take. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The connection is another one: what is held is old until its instance states it anew. */
  age(): void {
    for (const [instance, held] of [...this.#held]) {
      if (held.shown === undefined) this.#forget(instance, held);
      else held.phase = "old";
    }
  }

  /** A frame of that instance was lost. */
  miss(instance: InstanceId): void {
    this.#of(instance).phase = "hole";
  }

  /** Takes a valid frame of this topic. */
  take(frame: TopicFrame): Taken<TopicRow[Topic]> {
    const { instance } = frame;
    const held = this.#of(instance);
    const isSnapshot = frame.snapshot === true || this.#shape.key === undefined;
    if (!isSnapshot && (held.phase === "old" || held.phase === "hole")) {
      return { outcome: "waiting" };
    }
    const before = this.#folded.get(instance);
    const { state, outcome } = fold(this.topic, this.#folded, frame);
    const after = state.get(instance);
    if (outcome !== "folded" || after === undefined) {
      held.phase = "hole";
      return { outcome: "hole" };
    }
    const named = isSnapshot ? keysOf(before, after) : this.#keysIn(frame);
    this.#weigh(held, before, after, named);
    this.#folded = state;
    this.#touch(held, after, named);
    if (after.partial) {
      // Parts of a change leave the shown state behind, but for no longer than they take to arrive.
      if (held.phase !== "whole") held.phase = "parts";
      return { outcome: "part" };
    }
    const changes = difference(held.shown?.rows ?? NO_ROWS, after.rows, held.touched);
    held.shown = after;
    held.touched = new Set();
    held.phase = "whole";
    return { outcome: "shown", ...changes };
  }

  #of(instance: InstanceId): Held<TopicRow[Topic]> {
    let held = this.#held.get(instance);
    if (held === undefined) {
      held = { phase: "parts", shown: undefined, touched: new Set(), bytes: INSTANCE_BYTES };
      this.#held.set(instance, held);
      this.#heldBytes += INSTANCE_BYTES;
    }
    return held;
  }

  #forget(instance: InstanceId, held: Held<TopicRow[Topic]>): void {
    const folded = new Map(this.#folded);
    folded.delete(instance);
    this.#folded = folded;
    this.#held.delete(instance);
    this.#heldBytes -= held.bytes;
  }

  #keysIn(frame: TopicFrame): Set<string> {
    const { field } = this.#shape;
    const list = field === undefined ? frame.data : (frame.data as Record<string, unknown>)[field];
    return new Set((list as object[]).map((element) => rowKey(this.#shape, element) ?? ""));
  }

  /** A key that is in neither state is dropped, so that rows which come and go between the parts of an
   * endless frame leave nothing behind. */
  #touch(
    held: Held<TopicRow[Topic]>,
    after: InstanceRows<TopicRow[Topic]>,
    named: Set<string>,
  ): void {
    for (const key of named) {
      if (after.rows.has(key) || held.shown?.rows.has(key)) held.touched.add(key);
      else held.touched.delete(key);
    }
  }

  #weigh(
    held: Held<TopicRow[Topic]>,
    before: InstanceRows<TopicRow[Topic]> | undefined,
    after: InstanceRows<TopicRow[Topic]>,
    named: Set<string>,
  ): void {
    let grown = 0;
    for (const key of named) {
      grown += weigh(after.rows.get(key)) - weigh(before?.rows.get(key));
    }
    if (after.sources !== before?.sources) grown += weigh(after.sources) - weigh(before?.sources);
    held.bytes += grown;
    this.#heldBytes += grown;
  }
}

function keysOf<Row>(before: InstanceRows<Row> | undefined, after: InstanceRows<Row>): Set<string> {
  return new Set([...(before?.rows.keys() ?? []), ...after.rows.keys()]);
}
