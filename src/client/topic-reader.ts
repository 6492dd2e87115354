import type { TopicFrame } from "../contract/envelope.ts";
import { ERROR_MEANINGS, type ErrorBody } from "../contract/errors.ts";
import type { RowTopic, TopicRow } from "../contract/rows.ts";
import { Backoff } from "./backoff.ts";
import type { Cancel, Clock } from "./clock.ts";
import { ANSWER_MS, HOLE_QUIET_MS, SUBSCRIBE_MS } from "./intervals.ts";
import type { Reply } from "./requests.ts";
import type { Session } from "./session.ts";
import { type Taken, TopicState } from "./topic-state.ts";
import type { Problem } from "./types.ts";

/** One topic of a subscription: asks for it on each connection, and again where a frame was missed. */
export class TopicReader<Topic extends RowTopic> {
  readonly state: TopicState<Topic>;
  readonly #clock: Clock;
  readonly #problem: (problem: Problem) => void;
  readonly #backoff: Backoff;
  #session: Session | undefined;
  #refusal: ErrorBody | undefined;
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #missedAt = Number.NEGATIVE_INFINITY;
  #later: Cancel | undefined;

  constructor(
    topic: Topic,
    clock: Clock,
    random: () => number,
    problem: (problem: Problem) => void,
  ) {
    this.state = new TopicState(topic);
    this.#clock = clock;
    this.#problem = problem;
    this.#backoff = new Backoff(random);
  }

  /** Why the publisher does not give the topic. Absent where it may. */
  get refusal(): ErrorBody | undefined {
    return this.#refusal;
  }

  /** Whether there is a connection to read from. */
  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** How the topic stands, as `TopicView` tells it. */
  get standing(): "waiting" | "current" | "refused" {
    if (this.#refusal !== undefined) return "refused";
    if (this.#session === undefined) return "waiting";
    const phases = [...this.state.instances.values()].map(({ phase }) => phase);
    const isOwed = phases.some((phase) => phase === "hole" || phase === "parts");
    return phases.includes("whole") && !isOwed ? "current" : "waiting";
  }

  /** A greeted connection is there. */
  begin(session: Session): void {
    this.end();
    this.#session = session;
    this.#refusal = undefined;
    this.#missedAt = Number.NEGATIVE_INFINITY;
    this.#backoff.reset();
    this.state.age();
    this.#ask();
  }

  /** The connection is gone. */
  end(): void {
    this.#session = undefined;
    this.#asking = false;
    this.#later?.();
    this.#later = undefined;
  }

  take(frame: TopicFrame): Taken<TopicRow[Topic]> {
    const taken = this.state.take(frame);
    if (taken.outcome === "hole") this.#missed(frame);
    // The snapshot that was asked for has not come in a time in which it should have: it is asked for
    // again by the first sign that its instance is still there.
    const overdue = this.#clock.monotonic() - this.#askedAt > ANSWER_MS;
    if (taken.outcome === "waiting" && overdue) this.#askUnlessAsking();
    return taken;
  }

  /** Something that may have been a frame of this topic could not be read. Where there is a chain the next
   * frame shows whether it was; where there is none this is the only sign. */
  suspect(): void {
    const { instances } = this.state;
    const unchained = [...instances].filter(([, held]) => held.shown?.epoch === undefined);
    for (const [instance, held] of unchained) if (held.phase === "whole") this.state.miss(instance);
    if (unchained.length > 0 || instances.size === 0) this.#askUnlessAsking();
  }

  #missed({ instance }: TopicFrame): void {
    const { topic } = this.state;
    this.#problem({
      kind: "hole",
      message: `a frame of ${topic} was missed; asking for a snapshot`,
      topic,
      instance,
    });
    this.#askUnlessAsking();
  }

  /** What is asked for already answers this, too: its snapshot is taken after now. */
  #askUnlessAsking(): void {
    if (this.#asking || this.#later !== undefined || this.#refusal !== undefined) return;
    const now = this.#clock.monotonic();
    const isFirst = now - this.#missedAt >= HOLE_QUIET_MS;
    this.#missedAt = now;
    if (isFirst) {
      this.#backoff.reset();
      this.#ask();
    } else this.#askLater();
  }

  #askLater(): void {
    this.#later = this.#clock.schedule(this.#backoff.next(), () => this.#ask());
  }

  #ask(): void {
    this.#later = undefined;
    this.#asking = true;
    const { topic } = this.state;
    this.#session?.request("topic.subscribe", { topic }, SUBSCRIBE_MS, (reply) => {
      this.#asking = false;
      this.#askedAt = this.#clock.monotonic();
      this.#answered(reply);
    });
  }

  #answered(reply: Reply): void {
    if (reply.outcome === "ok") return;
    const { topic } = this.state;
    if (reply.outcome === "unanswered") {
      const message = `no answer to subscribing to ${topic} within ${SUBSCRIBE_MS} ms`;
      this.#askLater();
      this.#problem({ kind: "unanswered", message, topic });
      return;
    }
    const { error } = reply;
    if (ERROR_MEANINGS[error.code].retry === "never") this.#refusal = error;
    else this.#askLater();
    const message = `the publisher does not give ${topic}: ${error.code}: ${error.msg}`;
    this.#problem({ kind: "refused", message, topic, error });
  }
}
