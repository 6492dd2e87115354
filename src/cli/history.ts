import type { RowChange, TopicView } from "../client/types.ts";
import type { TopicFrame } from "../contract/envelope.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import { isRemoval, ROW_TOPICS, rowKey, type TopicRow } from "../contract/rows.ts";
import type { RemovalReason } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { Topic } from "./ask.ts";

/** What became of a terminal or an agent.
 *
 * - `listed`: it was there before its publisher was listened to.
 * - `opened`: it is new.
 * - `changed`: its row is another than `before`.
 * - `gone`: its row is, as it was last. */
export type RowEvent<Row> =
  | { readonly kind: "listed"; readonly row: Row }
  | { readonly kind: "opened"; readonly row: Row }
  | { readonly kind: "changed"; readonly row: Row; readonly before: Row }
  | { readonly kind: "gone"; readonly row: Row; readonly reason?: RemovalReason };

export type TerminalEvent = RowEvent<TerminalInfo>;

/** What is remembered of one publisher. */
interface Known<Row> {
  readonly rows: Map<string, Row>;
  /** Rows that went with their publisher: nothing is known of the things themselves until it is back. */
  readonly away: Map<string, Row>;
  /** Whether all its sources have been read since it began. A row that comes before is not new. */
  settled: boolean;
}

/** Tells what became of things from what became of their rows, over connections and starts of the publisher. */
export class History<T extends Topic> {
  readonly #topic: T;
  readonly #isAsBefore: (last: TopicRow[T], row: TopicRow[T]) => boolean;
  readonly #known = new Map<InstanceId, Known<TopicRow[T]>>();
  readonly #reasons = new Map<string, RemovalReason>();

  /** `isAsBefore` says whether a row that is back with its publisher is worth no word. */
  constructor(topic: T, isAsBefore: (last: TopicRow[T], row: TopicRow[T]) => boolean) {
    this.#topic = topic;
    this.#isAsBefore = isAsBefore;
  }

  /** Takes note of why rows go. Every frame of the topic is to be seen before the change that it makes. */
  note({ data }: TopicFrame): void {
    const { field } = ROW_TOPICS[this.#topic];
    for (const element of (data as Record<string, object[]>)[field] ?? []) {
      const key = this.#keyOf(element);
      if (!isRemoval(element)) this.#reasons.delete(key);
      else if (element.reason !== undefined) this.#reasons.set(key, element.reason);
    }
  }

  take(change: RowChange<T>, view: TopicView<TopicRow[T]>): RowEvent<TopicRow[T]>[] {
    const { instance, changed, removed } = change;
    const known = this.#of(instance);
    const gone = removed.map((row) => this.#removed(known, row));
    const came = changed.map((row) => this.#added(known, row));
    const { sources = [] } = view.instances.get(instance) ?? {};
    const isRead = sources.every(({ status }) => status !== "starting");
    // Of a publisher that stopped, what it states when it is back is a beginning again.
    const stops = removed.some((row) => known.away.has(this.#keyOf(row)));
    if (!stops && isRead) known.away.clear();
    known.settled = !stops && (known.settled || isRead);
    this.#reasons.clear();
    return [...gone, ...came];
  }

  /** Whether a publisher has said all that was there before. */
  isSettled(instance: InstanceId): boolean {
    return this.#known.get(instance)?.settled === true;
  }

  #of(instance: InstanceId): Known<TopicRow[T]> {
    const known = this.#known.get(instance) ?? { rows: new Map(), away: new Map(), settled: false };
    this.#known.set(instance, known);
    return known;
  }

  #removed(known: Known<TopicRow[T]>, row: TopicRow[T]): RowEvent<TopicRow[T]> {
    const key = this.#keyOf(row);
    const reason = this.#reasons.get(key);
    known.rows.delete(key);
    if (isOfPublisher(reason)) known.away.set(key, row);
    return { kind: "gone", row, ...(reason === undefined ? {} : { reason }) };
  }

  #added({ rows, away, settled }: Known<TopicRow[T]>, row: TopicRow[T]): RowEvent<TopicRow[T]> {
    const key = this.#keyOf(row);
    const before = rows.get(key);
    const last = before ?? away.get(key);
    rows.set(key, row);
    if (before !== undefined) return { kind: "changed", row, before };
    if (last !== undefined && !this.#isAsBefore(last, row)) {
      return { kind: "changed", row, before: last };
    }
    return { kind: settled ? "opened" : "listed", row };
  }

  #keyOf(row: object): string {
    return rowKey(ROW_TOPICS[this.#topic], row) ?? "";
  }
}

/** Whether a row went with its publisher, which says nothing of what it is about. */
export const isOfPublisher = (reason: RemovalReason | undefined) =>
  reason === "instance_stopped" || reason === "instance_lost";

/** Whether a terminal has just come into a state: it was in another one, or it is new. */
export function enters(event: TerminalEvent, state: string): boolean {
  if (event.kind === "gone" || event.kind === "listed" || event.row.state !== state) return false;
  return event.kind === "opened" || event.before.state !== state;
}
