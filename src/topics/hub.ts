import { topicKind } from "../contract/topics.ts";
import type { Clock } from "../time/clock.ts";
import { Cursor } from "./cursor.ts";
import { Egress, type FlushReport } from "./egress.ts";
import type { Feed } from "./feed.ts";
import { Line } from "./line.ts";
import type { Begin, FrameSink, Reader, TopicHub } from "./reader.ts";

/** What makes a topic's value, and works only while somebody wants it. Wants are counted: it runs from
 * the first `acquire` to the last `release`. */
export interface Resource {
  acquire(): void;
  release(): void;
  /** Resolves once the value comes from a reading that began after the call, or can be stated without
   * one. Rejects where there is no value to state. */
  fresh(): Promise<void>;
}

interface OfferedTopic {
  readonly feeds: readonly Feed[];
  readonly resource: Resource | undefined;
}

export interface TopicsOptions {
  readonly clock: Clock;
  readonly onFlush?: (flush: FlushReport) => void;
}

/** The topics of a publisher, and the readers of each. */
export class Topics implements TopicHub {
  readonly #egress: Egress;
  readonly #offered = new Map<string, OfferedTopic>();

  constructor({ clock, onFlush }: TopicsOptions) {
    this.#egress = new Egress(clock, onFlush);
  }

  /** Offers a topic under its full name. Within one flush, topics go in the order of their offering. */
  offer(topic: string, feeds: readonly Feed[], resource?: Resource): void {
    if (topicKind(topic) === undefined) throw new RangeError(`Expected a topic, got \`${topic}\``);
    this.#offered.set(topic, { feeds, resource });
  }

  offers(topic: string): boolean {
    return this.#offered.has(topic);
  }

  /** One or more feeds have moved. `signAt`: when the first sign of that was seen, in the monotonic clock; now
   * where it is not given. */
  changed(signAt?: number): void {
    this.#egress.wake(signAt);
  }

  /** Sends what is waiting without regard to the flush period, for when the process is about to end. */
  flush(): void {
    this.#egress.flush();
  }

  connect(sink: FrameSink): Reader {
    const line = new Line(sink, () => this.#offered.keys());
    this.#egress.add(line);
    return new TopicReader(line, this.#egress, (topic) => {
      const offered = this.#offered.get(topic);
      if (offered === undefined)
        throw new RangeError(`Expected a topic on offer, got \`${topic}\``);
      return offered;
    });
  }
}

/** A subscription on its way: it wants the topic's resource until it has begun or been given up. */
interface Opening {
  readonly wanted: boolean;
  settle(): void;
}

/** One connection's subscriptions. */
class TopicReader implements Reader {
  readonly #line: Line;
  readonly #egress: Egress;
  readonly #find: (topic: string) => OfferedTopic;
  readonly #openings = new Map<string, Set<Opening>>();
  #ended = false;

  constructor(line: Line, egress: Egress, find: (topic: string) => OfferedTopic) {
    this.#line = line;
    this.#egress = egress;
    this.#find = find;
  }

  async open(topic: string): Promise<Begin> {
    const offered = this.#find(topic);
    if (this.#ended) return () => {};
    const opening = this.#start(topic, offered.resource);
    try {
      await offered.resource?.fresh();
    } catch (error) {
      opening.settle();
      throw error;
    }
    return () => {
      if (opening.wanted) this.#join(topic, offered);
      opening.settle();
    };
  }

  close(topic: string): void {
    for (const opening of this.#openings.get(topic) ?? []) opening.settle();
    if (this.#line.leave(topic)) this.#find(topic).resource?.release();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const topic of [...this.#openings.keys(), ...this.#line.topics()]) this.close(topic);
    this.#egress.remove(this.#line);
  }

  #start(topic: string, resource: Resource | undefined): Opening {
    resource?.acquire();
    const openings = this.#openings.get(topic) ?? new Set();
    const opening = {
      wanted: true,
      settle: () => {
        if (!opening.wanted) return;
        opening.wanted = false;
        openings.delete(opening);
        if (openings.size === 0) this.#openings.delete(topic);
        resource?.release();
      },
    };
    this.#openings.set(topic, openings.add(opening));
    return opening;
  }

  #join(topic: string, { feeds, resource }: OfferedTopic): void {
    if (!this.#line.has(topic)) resource?.acquire();
    this.#line.join(
      topic,
      feeds.map((feed) => new Cursor(feed)),
    );
    this.#egress.begin(this.#line, topic);
  }
}
