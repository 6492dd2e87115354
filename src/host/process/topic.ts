import { BOOKMARK_MS } from "../../contract/envelope.ts";
import type { InstanceInfo } from "../../contract/instances.ts";
import type { SourceInfo } from "../../contract/sources.ts";
import type { ProcessTable } from "../../processes/types.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import { FLUSH_PERIOD_MS } from "../../topics/egress.ts";
import { ElementFeed } from "../../topics/elements.ts";
import type { Resource, Topics } from "../../topics/hub.ts";
import { WholeFeed } from "../../topics/whole.ts";
import { HostRows, type ListedTerminal } from "./rows.ts";

/** The terminals of a host, as the topic needs them. */
export interface ListedTerminals {
  readonly all: readonly ListedTerminal[];
  /** Something is said of one that differs, or one came or went. */
  readonly changed: { on(listener: () => void): () => void };
}

export interface HostTopicOptions {
  readonly topics: Topics;
  readonly terminals: ListedTerminals;
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly instance: string;
  /** Random for each start of the host. */
  readonly epoch: string;
  /** How this instance is listed to others. */
  readonly self: InstanceInfo;
}

/** The topics of a host. */
export interface HostTopic {
  /** States what there still is, and sends it: the host is about to end. */
  end(): void;
}

/** Offers `terminals` of a host's own terminals. While nobody is subscribed, no row is made. */
export function offerHostTerminals(options: HostTopicOptions): HostTopic {
  const { topics, instance, epoch, self } = options;
  const feed = new ElementFeed("terminals", instance, epoch);
  const listing = new Listing(options, feed);
  topics.offer("terminals", [feed], listing);
  topics.offer("instances", [new WholeFeed("instances", instance, [self])]);
  return {
    end() {
      listing.publish();
      topics.flush();
    },
  };
}

/** States the rows while somebody wants them. */
class Listing implements Resource {
  readonly #options: HostTopicOptions;
  readonly #feed: ElementFeed<"terminals">;
  readonly #rows: HostRows;
  readonly #startedAt: number;
  #wants = 0;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #unlisten: (() => void) | undefined;
  #due: Cancel | undefined;
  #bookmark: Cancel | undefined;

  constructor(options: HostTopicOptions, feed: ElementFeed<"terminals">) {
    const { instance, table, clock } = options;
    this.#options = options;
    this.#feed = feed;
    this.#rows = new HostRows(instance, table);
    this.#startedAt = clock.now();
  }

  acquire(): void {
    this.#wants += 1;
    if (this.#wants > 1) return;
    this.#unlisten = this.#options.terminals.changed.on(() => this.#changed());
    this.publish();
    this.#bookmarkLater();
  }

  release(): void {
    this.#wants -= 1;
    if (this.#wants > 0) return;
    this.#unlisten?.();
    this.#due?.();
    this.#due = undefined;
    this.#bookmark?.();
    this.#feed.reset();
  }

  async fresh(): Promise<void> {
    this.publish();
  }

  publish(): void {
    if (this.#wants === 0) return;
    this.#due?.();
    this.#due = undefined;
    const { terminals, clock, topics } = this.#options;
    this.#publishedAt = clock.monotonic();
    const changed = this.#feed.publish({
      rows: this.#rows.make(terminals.all),
      ...this.#standing(),
      removedAt: clock.now(),
      reasonOf: () => "closed",
    });
    if (changed) topics.changed();
  }

  /** At once after quiet; what comes sooner after the last time goes together, so that a terminal that sets its title
   * without end costs no more than the flushes. */
  #changed(): void {
    if (this.#due !== undefined) return;
    const { clock } = this.#options;
    const wait = this.#publishedAt + FLUSH_PERIOD_MS - clock.monotonic();
    if (wait <= 0) {
      this.publish();
      return;
    }
    this.#due = clock.schedule(Math.ceil(wait), () => this.publish());
  }

  #bookmarkLater(): void {
    const { clock, topics } = this.#options;
    this.#bookmark = clock.schedule(BOOKMARK_MS, () => {
      this.#bookmarkLater();
      this.publish();
      this.#feed.bookmarkAt(this.#standing());
      topics.changed();
    });
  }

  /** A host knows its terminals at any time. */
  #standing() {
    const now = this.#options.clock.now();
    const pty: SourceInfo = {
      scheme: "pty",
      status: "ok",
      since_at: this.#startedAt,
      polled_at: now,
    };
    return { polledAt: now, sources: [pty] };
  }
}
