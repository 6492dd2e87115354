import type { InstanceInfo } from "../contract/instances.ts";
import { Observation } from "../inventory/observation.ts";
import type { ObservationOptions } from "../inventory/observed.ts";
import { ElementFeed } from "./elements.ts";
import type { Topics } from "./hub.ts";
import { WholeFeed } from "./whole.ts";

export interface HostTopicsOptions {
  readonly topics: Topics;
  readonly observation: ObservationOptions;
  /** Random for each start of the publisher. */
  readonly epoch: string;
  /** How this instance is listed to others. */
  readonly self: InstanceInfo;
}

/** The topics of one host. */
export interface HostTopics {
  /** States that all rows are gone because the publisher stops, and sends that. */
  end(): void;
}

/** Offers what there is to know of this host. `terminals` is offered before `agents`, so that a reader gets
 * a terminal before the run in it. */
export function offerHostTopics({
  topics,
  observation,
  epoch,
  self,
}: HostTopicsOptions): HostTopics {
  const { instance, clock } = observation;
  const terminals = new ElementFeed("terminals", instance, epoch);
  let ended = false;
  const host = new Observation(observation, {
    observed({ terminals: rows, polledAt, sources, at, signAt, reasonOf }) {
      if (ended) return;
      const changed = terminals.publish({
        ...(polledAt === undefined ? {} : { polledAt }),
        rows,
        sources,
        removedAt: at,
        reasonOf: ({ id }) => reasonOf(id),
      });
      if (changed) topics.changed(signAt);
    },
    bookmark(standing) {
      terminals.bookmarkAt(standing);
      topics.changed();
    },
    stopped() {
      terminals.reset();
    },
  });
  topics.offer("terminals", [terminals], host);
  // Nothing observes runs yet. No `polled_at` says so: the list is not known, rather than known to be empty.
  topics.offer("agents", [new WholeFeed("agents", instance)]);
  topics.offer("instances", [new WholeFeed("instances", instance, [self])]);
  topics.offer("peers", [new WholeFeed("peers", instance)]);
  topics.offer("inbox", [new WholeFeed("inbox", instance)]);
  topics.offer("session.errors", [new WholeFeed("session.errors", instance)]);
  topics.offer("notify", []);
  return {
    end() {
      ended = true;
      const removedAt = clock.now();
      terminals.publish({ rows: [], removedAt, reasonOf: () => "instance_stopped" });
      topics.flush();
    },
  };
}
