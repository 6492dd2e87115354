import type { TerminalUsage } from "../contract/usage.ts";
import type { Measure } from "../inventory/usage/figures.ts";
import { type UsageEvents, type UsageReport, UsageSampler } from "../inventory/usage.ts";
import type { ProcessInfo } from "../processes/types.ts";
import { optional } from "../sources/optional.ts";
import type { Clock } from "../time/clock.ts";
import { ElementFeed } from "./elements.ts";
import type { Resource, Topics } from "./hub.ts";
import type { OwnTopic } from "./own-topic.ts";

/** How long a subscriber waits for the first sample, in milliseconds. There are no rows before the second one anyway. */
const FIRST_SAMPLE_MS = 1_000;

/** The part of the observation that this topic needs. It is wanted as long as the topic is. */
export interface ObservedOccupants extends Resource {
  /** The live processes in each terminal, by its id, read after the call. Rejects where they cannot be read. */
  occupants(): Promise<ReadonlyMap<string, readonly ProcessInfo[]>>;
}

export interface UsageOptions {
  readonly topics: Topics;
  readonly instance: string;
  /** Random for each start of the publisher. */
  readonly epoch: string;
  readonly clock: Clock;
  readonly observation: ObservedOccupants;
  readonly measure: Measure;
  readonly onSample?: (report: UsageReport) => void;
}

/** What the terminals of this host use. */
export interface UsageTopic {
  readonly own: OwnTopic;
  /** States that all rows are gone because the publisher stops. Whoever calls it flushes the topics. */
  end(): void;
}

/** Offers `terminals.usage`. Without a subscriber nothing of it runs. */
export function offerUsage(options: UsageOptions): UsageTopic {
  const { topics, instance, epoch, clock } = options;
  const feed = new ElementFeed("terminals.usage", instance, epoch);
  let ended = false;
  const publish = (rows: readonly TerminalUsage[], polledAt?: number) => {
    const reason = ended ? "instance_stopped" : "closed";
    return feed.publish({
      rows,
      ...optional("polledAt", polledAt),
      removedAt: clock.now(),
      reasonOf: () => reason,
    });
  };
  const sampling = new Sampling(options, {
    sampled({ rows, polledAt }) {
      if (!ended && publish(rows, polledAt)) topics.changed();
    },
    bookmark(polledAt) {
      if (ended) return;
      feed.bookmarkAt({ polledAt });
      topics.changed();
    },
    stopped() {
      feed.reset();
    },
  });
  topics.offer("terminals.usage", [feed], sampling);
  return {
    own: { topic: "terminals.usage", feed, resource: sampling },
    end() {
      ended = true;
      publish([]);
    },
  };
}

interface SamplingEvents extends UsageEvents {
  stopped(): void;
}

/** Samples while somebody wants it, and wants the observation for that long. */
class Sampling implements Resource {
  readonly #options: UsageOptions;
  readonly #events: SamplingEvents;
  #wants = 0;
  #sampler: UsageSampler | undefined;

  constructor(options: UsageOptions, events: SamplingEvents) {
    this.#options = options;
    this.#events = events;
  }

  acquire(): void {
    this.#wants += 1;
    if (this.#wants > 1) return;
    const { observation, ...options } = this.#options;
    observation.acquire();
    let terminals: Promise<void> | undefined;
    const occupants = async () => {
      // Before the sources have answered there are no terminals to be in, and the first sample would be lost.
      terminals ??= observation.fresh().catch(() => {});
      await terminals;
      return observation.occupants();
    };
    this.#sampler = new UsageSampler({ ...options, occupants }, this.#events);
  }

  release(): void {
    this.#wants -= 1;
    if (this.#wants > 0) return;
    this.#sampler?.stop();
    this.#sampler = undefined;
    this.#options.observation.release();
    this.#events.stopped();
  }

  /** Resolves once there has been a sample, or FIRST_SAMPLE_MS have passed: to compare two takes time that no subscriber is
   * kept waiting for. */
  async fresh(): Promise<void> {
    const begun = this.#sampler?.begun;
    if (begun === undefined) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.schedule(FIRST_SAMPLE_MS, resolve);
      void begun.then(() => {
        cancel();
        resolve();
      });
    });
  }
}
