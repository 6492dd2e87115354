import type { TopicFrame } from "../contract/envelope.ts";
import type { ErrorBody } from "../contract/errors.ts";
import type { HelloResult } from "../contract/hello.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import { isRowTopic, type RowTopic, type TopicRow } from "../contract/rows.ts";
import { TOPIC_SCHEMAS } from "../contract/schemas.ts";
import { isValid, validationErrors } from "../contract/validation.ts";
import { Calls } from "./calls.ts";
import { type Cancel, type Clock, hostClock } from "./clock.ts";
import { Connection } from "./connection.ts";
import type { Difference } from "./difference.ts";
import { SubscriptionError } from "./failure.ts";
import { HELD_BYTES } from "./intervals.ts";
import { Listeners } from "./listeners.ts";
import type { Session } from "./session.ts";
import type { Status } from "./status.ts";
import { terminalActions } from "./terminal.ts";
import { TopicReader } from "./topic-reader.ts";
import type {
  AnyRowChange,
  Problem,
  RowChange,
  SubscribeOptions,
  Subscription,
  SubscriptionEvents,
  TopicView,
} from "./types.ts";
import { viewOf } from "./view.ts";
import { Waiters } from "./waiters.ts";
import { Watchdog } from "./watchdog.ts";

/** Subscribes to topics of a publisher and keeps their rows: dials, greets as a person's client, folds
 * frames, asks again where one was missed, and dials again when the connection ends. It works with any
 * publisher of this generation of the contract; with one that keeps no chain a lost frame can be
 * noticed only where something unreadable arrived. Throws a `TypeError` where `topics` is empty or names one without
 * rows. */
export function subscribe<Topic extends RowTopic>(
  options: SubscribeOptions<Topic>,
): Subscription<Topic> {
  return new TopicSubscription(options);
}

class TopicSubscription<Topic extends RowTopic> implements Subscription<Topic> {
  readonly #readers: ReadonlyMap<string, TopicReader<Topic>>;
  readonly #isFrame: (topic: Topic, frame: unknown) => boolean;
  readonly #heldLimit: number;
  readonly #listeners: Listeners<SubscriptionEvents<Topic>>;
  readonly #waiters = new Waiters<Topic>();
  /** Which instances, by topic, do not let themselves be heard of though they send bookmarks. */
  readonly #quiet: Watchdog;
  readonly #connection: Connection;
  readonly #calls = new Calls(() => this.status);
  readonly terminal = terminalActions(this.#calls);
  #publisher: HelloResult | undefined;

  constructor(options: SubscribeOptions<Topic>) {
    const { clock = hostClock, random = Math.random } = options;
    this.#isFrame = options.isFrame ?? ((topic, frame) => isValid(TOPIC_SCHEMAS[topic], frame));
    this.#heldLimit = options.heldBytes ?? HELD_BYTES;
    this.#readers = this.#readersOf(options.topics, clock, random);
    this.#listeners = new Listeners((event, cause) => {
      const message = `a listener of \`${event}\` threw: ${String(cause)}`;
      // A throwing listener of problems is told to nobody: it would be told of itself without end.
      if (event !== "problem") this.#problem({ kind: "listener", message, cause });
    });
    this.#quiet = new Watchdog(clock, (key) => this.#fellSilent(key));
    const { transport, reconnect = true, clientVersion } = options;
    this.#connection = new Connection(
      { transport, clock, random, reconnect, clientVersion },
      {
        status: (status) => this.#changed(status),
        greeted: (session, publisher) => this.#begin(session, publisher),
        frame: (topic, frame) => this.#take(topic, frame as TopicFrame),
        unreadable: (message, error) => {
          if (error === undefined) this.#missed(message);
          else this.#problem({ kind: "error_reply", message, error });
        },
        ended: () => this.#end(),
      },
    );
  }

  get status(): Status {
    return this.#connection.status;
  }

  get publisher(): HelloResult | undefined {
    return this.#publisher;
  }

  rows<T extends Topic>(topic: T): TopicRow[T][] {
    const shown = [...this.#reader(topic).state.instances.values()];
    return shown.flatMap((held) => [...(held.shown?.rows.values() ?? [])]);
  }

  view<T extends Topic>(topic: T): TopicView<TopicRow[T]> {
    const isLive = this.status.state === "live";
    return viewOf(
      this.#reader(topic),
      (instance) => isLive && !this.#quiet.isSilent(quietKey(topic, instance)),
    );
  }

  ready<T extends Topic>(topic: T): Promise<TopicRow[T][]> {
    const { standing, refusal } = this.#reader(topic);
    const { status } = this;
    if (status.state === "failed") return Promise.reject(status.error);
    if (status.state === "closed") return Promise.reject(closedError());
    if (refusal !== undefined) return Promise.reject(refusalError(topic, refusal));
    if (standing === "current") return Promise.resolve(this.rows(topic));
    return this.#waiters.wait(topic).then(() => this.rows(topic));
  }

  on<Name extends keyof SubscriptionEvents<Topic>>(
    event: Name,
    listener: (value: SubscriptionEvents<Topic>[Name]) => void,
  ): Cancel {
    return this.#listeners.on(event, listener);
  }

  wake(): void {
    this.#connection.wake();
  }

  close(): void {
    this.#connection.close();
  }

  #reader<T extends Topic>(topic: T): TopicReader<T> {
    const reader = this.#readers.get(topic);
    if (reader === undefined) {
      const known = [...this.#readers.keys()].join(", ");
      throw new TypeError(
        `\`topic\` must be one that was subscribed to (${known}), got "${topic}"`,
      );
    }
    return reader as unknown as TopicReader<T>;
  }

  #changed(status: Status): void {
    if (status.state === "failed") this.#waiters.rejectAll(status.error);
    if (status.state === "closed") this.#waiters.rejectAll(closedError());
    this.#calls.changed(status);
    this.#listeners.emit("status", status);
  }

  #begin(session: Session, publisher: HelloResult): void {
    this.#publisher = publisher;
    for (const reader of this.#readers.values()) reader.begin(session);
    this.#calls.begin(session);
  }

  #end(): void {
    this.#quiet.clear();
    this.#calls.end();
    for (const reader of this.#readers.values()) reader.end();
  }

  #take(name: string, frame: TopicFrame): void {
    const reader = this.#readers.get(name);
    // Nobody asked for it here; what it is of is the publisher's to know.
    if (reader === undefined) return;
    const { topic } = reader.state;
    if (!this.#fits(topic, frame)) {
      reader.suspect();
      return;
    }
    this.#connection.heard(frame.epoch !== undefined);
    this.#listeners.emit("frame", frame);
    // A listener may have closed the subscription.
    if (!reader.isOpen) return;

    const taken = reader.take(frame);
    if (this.#heldBytes() > this.#heldLimit) {
      const message = `the rows of the publisher take more than ${this.#heldLimit} bytes`;
      this.#connection.fail(new SubscriptionError("too_large", message));
    } else if (taken.outcome === "shown") {
      this.#watch(topic, frame);
      if (reader.standing === "current") this.#waiters.resolve(topic);
      this.#tell(topic, frame.instance, taken);
    } else if (taken.outcome === "hole") this.#tell(topic, frame.instance);
  }

  /** Something arrived that cannot be read and may have been a frame of any topic. */
  #missed(message: string): void {
    this.#problem({ kind: "unreadable_line", message });
    for (const reader of this.#readers.values()) reader.suspect();
  }

  #fits(topic: Topic, frame: TopicFrame): boolean {
    let fits = false;
    try {
      fits = this.#isFrame(topic, frame);
    } catch {
      // A check that cannot cope with the frame has not let it through.
    }
    if (fits) return true;
    const faults = validationErrors(TOPIC_SCHEMAS[topic], frame);
    const where = faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
    const message = `a frame of ${topic} does not fit its schema: ${where}`;
    this.#problem({ kind: "invalid_frame", message, topic, faults });
    return false;
  }

  /** An instance that keeps a chain and states when it read sends bookmarks, so its silence says
   * something even while others of the same connection are heard. */
  #watch(topic: Topic, { instance, epoch, data }: TopicFrame): void {
    const key = quietKey(topic, instance);
    const isRead = (data as { polled_at?: number }).polled_at !== undefined;
    if (epoch !== undefined && (isRead || this.#quiet.isWatching(key))) this.#quiet.heard(key);
  }

  #fellSilent(key: string): void {
    const [topic, instance] = key.split(" ") as [Topic, InstanceId];
    this.#tell(topic, instance);
  }

  #tell(
    topic: Topic,
    instance: InstanceId,
    { changed, removed }: Difference<TopicRow[Topic]> = { changed: [], removed: [] },
  ): void {
    const change: RowChange<Topic> = { topic, instance, changed, removed };
    this.#listeners.emit("change", change as AnyRowChange<Topic>);
  }

  #problem(problem: Problem): void {
    const { kind, topic, error } = problem;
    if (kind === "refused" && error !== undefined && topic !== undefined) {
      const { refusal } = this.#reader(topic as Topic);
      if (refusal !== undefined) this.#waiters.reject(topic as Topic, refusalError(topic, error));
    }
    this.#listeners.emit("problem", problem);
  }

  #heldBytes(): number {
    return [...this.#readers.values()].reduce((sum, { state }) => sum + state.heldBytes, 0);
  }

  #readersOf(
    topics: readonly Topic[],
    clock: Clock,
    random: () => number,
  ): ReadonlyMap<string, TopicReader<Topic>> {
    const unreadable = topics.find((topic) => !isRowTopic(topic));
    if (topics.length === 0 || unreadable !== undefined) {
      const got = unreadable === undefined ? "none" : JSON.stringify(unreadable);
      throw new TypeError(`\`topics\` must name topics that hold rows, got ${got}`);
    }
    return new Map(
      topics.map((topic) => [
        topic,
        new TopicReader(topic, clock, random, (problem) => this.#problem(problem)),
      ]),
    );
  }
}

const quietKey = (topic: RowTopic, instance: InstanceId) => `${topic} ${instance}`;

const closedError = () => new SubscriptionError("closed", "the subscription is closed");

function refusalError(topic: RowTopic, { code, msg }: ErrorBody): SubscriptionError {
  return new SubscriptionError("topic_refused", `the publisher refuses ${topic}: ${code}: ${msg}`);
}
