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
  readonly feeds: Set<Feed>;
  readonly resource: Resource | undefined;
}

/** Works and is waited for as all of them are. */
function together(resources: readonly Resource[]): Resource {
  return {
    acquire() {
      for (const resource of resources) resource.acquire();
    },
    release() {
      for (const resource of resources) resource.release();
    },
    async fresh() {
      await Promise.all(resources.map((resource) => resource.fresh()));
    },
  };
}

export interface TopicsOptions {
  readonly clock: Clock;
  readonly onFlush?: (flush: FlushReport) => void;
}

/** The topics of a publisher, and the readers of each. */
export class Topics implements TopicHub {
  readonly #egress: Egress;
  readonly #offered = new Map<string, OfferedTopic>();
  /** Those of all topics, in the order of their offering. Absent from where parts came or went until it is asked for: thousands
   * may come at once. */
  #feeds: readonly Feed[] | undefined;
  readonly #lines = new Set<Line>();
  readonly #watches = new Set<() => void>();

  constructor({ clock, onFlush }: TopicsOptions) {
    this.#egress = new Egress(clock, () => this.#inOrder(), onFlush);
  }

  /** Offers a topic under its full name. Within one flush, topics go in the order of their offering. */
  offer(topic: string, feeds: readonly Feed[], resource?: Resource): void {
    if (topicKind(topic) === undefined) throw new RangeError(`Expected a topic, got \`${topic}\``);
    this.#offered.set(topic, { feeds: new Set(feeds), resource });
    this.#feeds = undefined;
  }

  /** Makes the topic's value out of one more resource. Before anybody reads it. */
  draw(topic: string, resource: Resource): void {
    const { feeds, resource: own } = this.#find(topic);
    this.#offered.set(topic, {
      feeds,
      resource: own === undefined ? resource : together([own, resource]),
    });
  }

  /** Adds another instance's part to a topic. Who reads it gets that part as well. */
  add(topic: string, feed: Feed): void {
    this.#find(topic).feeds.add(feed);
    this.#feeds = undefined;
    for (const line of this.#lines) line.add(topic, new Cursor(feed));
    this.changed();
  }

  /** Takes a part away, without a word to those who read it. */
  withdraw(topic: string, feed: Feed): void {
    if (!this.#find(topic).feeds.delete(feed)) return;
    this.#feeds = undefined;
    for (const line of this.#lines) line.drop(topic, feed);
  }

  /** Calls back whenever feeds have moved, before that is sent. */
  watch(moved: () => void): () => void {
    this.#watches.add(moved);
    return () => this.#watches.delete(moved);
  }

  offers(topic: string): boolean {
    return this.#offered.has(topic);
  }

  /** One or more feeds have moved. `signAt`: when the first sign of that was seen, in the monotonic clock; now
   * where it is not given. */
  changed(signAt?: number): void {
    for (const moved of this.#watches) moved();
    this.#egress.wake(signAt);
  }

  /** Sends what is waiting without regard to the flush period, for when the process is about to end. */
  flush(): void {
    this.#egress.flush();
  }

  connect(sink: FrameSink): Reader {
    const line = new Line(sink, () => this.#offered.keys());
    this.#egress.add(line);
    this.#lines.add(line);
    return new TopicReader(line, this.#egress, {
      find: (topic) => this.#find(topic),
      ended: () => this.#lines.delete(line),
    });
  }

  #inOrder(): readonly Feed[] {
    this.#feeds ??= [...this.#offered.values()].flatMap(({ feeds }) => [...feeds]);
    return this.#feeds;
  }

  #find(topic: string): OfferedTopic {
    const offered = this.#offered.get(topic);
    if (offered === undefined) throw new RangeError(`Expected a topic on offer, got \`${topic}\``);
    return offered;
  }
}

interface Offers {
  find(topic: string): OfferedTopic;
  /** The reader reads no more. */
  ended(): void;
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
  readonly #offers: Offers;
  readonly #openings = new Map<string, Set<Opening>>();
  #ended = false;

  constructor(line: Line, egress: Egress, offers: Offers) {
    this.#line = line;
    this.#egress = egress;
    this.#offers = offers;
  }

  async open(topic: string): Promise<Begin> {
    const offered = this.#offers.find(topic);
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
    if (this.#line.leave(topic)) this.#offers.find(topic).resource?.release();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const topic of [...this.#openings.keys(), ...this.#line.topics()]) this.close(topic);
    this.#egress.remove(this.#line);
    this.#offers.ended();
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
      Array.from(feeds, (feed) => new Cursor(feed)),
    );
    this.#egress.begin(this.#line, topic);
  }
}
