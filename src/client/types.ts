import type { TopicFrame } from "../contract/envelope.ts";
import type { ErrorBody } from "../contract/errors.ts";
import type { HelloResult } from "../contract/hello.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import type { RowTopic, TopicRow } from "../contract/rows.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { ValidationError } from "../contract/validation.ts";
import type { Cancel, Clock } from "./clock.ts";
import type { Status } from "./status.ts";
import type { TerminalActions } from "./terminal.ts";
import type { Transport } from "./transport.ts";

export interface SubscribeOptions<Topic extends RowTopic> {
  readonly transport: Transport;
  /** What to subscribe to. All are asked for at once; a refused one does not hold up the others. */
  readonly topics: readonly Topic[];
  /** Whether to dial again when the connection could not be made or ended. Default true. With false the
   * first such end is the state `failed`, which suits a program that asks once. */
  readonly reconnect?: boolean;
  /** Said in the greeting, for display only. */
  readonly clientVersion?: string;
  /** Whether a frame fits its topic's schema; one that does not is refused and reported. Default: the
   * contract's own validators. The validators of `termtopic/validate` give the same answers and need
   * no code made from text. */
  readonly isFrame?: (topic: Topic, frame: unknown) => boolean;
  /** About how many bytes of memory the rows of all topics may take together before the subscription
   * fails as `too_large`. Default 134217728 (128 MiB): some 100 000 terminals. */
  readonly heldBytes?: number;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
  /** A number from 0 to below 1, for the jitter of reconnecting. Default `Math.random`. */
  readonly random?: () => number;
}

/** The part of a topic that one instance states. */
export interface InstanceView<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** When the reading behind the rows ran, in the publisher's clock. Absent where it does not say. */
  readonly polledAt?: number;
  /** How the publisher's sources stand. Absent where it does not say. */
  readonly sources?: readonly SourceInfo[];
  /** True where the rows may be out of date: no connection, no snapshot on this connection yet, a frame
   * was missed, or the instance has been silent for longer than a quiet one may be. */
  readonly stale: boolean;
}

/** A topic as it stands now. A split frame shows only when its last part is in.
 *
 * - `waiting`: no snapshot on this connection yet, or one was asked for again after a missed frame.
 * - `current`: the rows are what the publisher stated last.
 * - `refused`: the publisher does not give the topic; `refusal` says why. It is asked for again on the
 *   next connection. */
export interface TopicView<Row> {
  readonly status: "waiting" | "current" | "refused";
  readonly refusal?: ErrorBody;
  readonly instances: ReadonlyMap<InstanceId, InstanceView<Row>>;
}

/** What one frame, or the parts of a split one, changed. Both lists are empty where only `polledAt`,
 * `sources` or `stale` moved. */
export interface RowChange<Topic extends RowTopic> {
  readonly topic: Topic;
  readonly instance: InstanceId;
  /** Rows that are new or other than before. Rows that a snapshot repeats unchanged are not among them. */
  readonly changed: readonly TopicRow[Topic][];
  /** Rows that are gone, as they were last. */
  readonly removed: readonly TopicRow[Topic][];
}

/** The changes of several topics, told apart by `topic`. */
export type AnyRowChange<Topic extends RowTopic> = { [T in Topic]: RowChange<T> }[Topic];

/** Something that the subscription came through, told for logs and for people.
 *
 * - `refused`: the publisher does not give `topic`, or not now; `error` is its answer.
 * - `unanswered`: a subscribe request got no answer in time; it is made again.
 * - `hole`: a frame of `topic` and `instance` was missed; the topic is asked for again.
 * - `invalid_frame`: a frame does not fit its schema and was left out; `faults` says where.
 * - `unreadable_line`: a line was too long or no message of the contract, and was left out.
 * - `error_reply`: the publisher complained about a request that it could not read.
 * - `listener`: a listener threw `cause`. */
export interface Problem {
  readonly kind:
    | "refused"
    | "unanswered"
    | "hole"
    | "invalid_frame"
    | "unreadable_line"
    | "error_reply"
    | "listener";
  /** For people. */
  readonly message: string;
  readonly topic?: RowTopic;
  readonly instance?: InstanceId;
  readonly error?: ErrorBody;
  readonly faults?: readonly ValidationError[];
  readonly cause?: unknown;
}

/** What a subscription tells. A listener that throws harms nobody else; it is told as a problem. */
export interface SubscriptionEvents<Topic extends RowTopic> {
  /** The rows, or how they stand, changed. `rows` and `view` show it already. */
  change: AnyRowChange<Topic>;
  /** A valid frame of a subscribed topic, as it came; also one that the rows cannot take, such as the
   * frame after a missed one. */
  frame: TopicFrame;
  status: Status;
  problem: Problem;
}

export interface Subscription<Topic extends RowTopic> {
  readonly status: Status;
  /** Who answered the last greeting. Absent before the first one. */
  readonly publisher: HelloResult | undefined;
  /** Looks into the publisher's terminals and acts on them, over the same connection. */
  readonly terminal: TerminalActions;
  /** The rows of all instances. Kept while there is no connection. */
  rows<T extends Topic>(topic: T): TopicRow[T][];
  /** The rows by instance, and how they stand. */
  view<T extends Topic>(topic: T): TopicView<TopicRow[T]>;
  /** The rows, once the topic is `current`: at once, or when its next whole snapshot is in. A publisher
   * that relays other instances states each in a snapshot of its own, and those may come later.
   * Rejects with a `SubscriptionError` when the topic is refused or the subscription fails or is closed. */
  ready<T extends Topic>(topic: T): Promise<TopicRow[T][]>;
  /** Listens, until the returned function is called. Nothing is told before `subscribe` has returned. */
  on<Name extends keyof SubscriptionEvents<Topic>>(
    event: Name,
    listener: (value: SubscriptionEvents<Topic>[Name]) => void,
  ): Cancel;
  /** Says that the network may be back: dials at once where it waited to, and after `failed`; asks an
   * open connection whether it still answers, and replaces it when it does not. */
  wake(): void;
  /** Ends it for good. No timer and no socket is left. Rows stay readable. */
  close(): void;
}
