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

/** The topics of one host, all behind one observation of it. */
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
  const agents = new ElementFeed("agents", instance, epoch);
  let ended = false;
  const host = new Observation(observation, {
    observed({ terminals: rows, polledAt, sources, at, reasonOf }) {
      if (ended) return;
      const read = polledAt === undefined ? {} : { polledAt };
      const changed = terminals.publish({
        ...read,
        rows,
        sources,
        removedAt: at,
        reasonOf: ({ id }) => reasonOf(id),
      });
      const ran = agents.publish({
        ...read,
        rows: [],
        sources: [],
        removedAt: at,
        reasonOf: () => "closed",
      });
      if (changed || ran) topics.changed();
    },
    bookmark(standing) {
      terminals.bookmarkAt(standing);
      agents.bookmarkAt({ ...standing, sources: [] });
      topics.changed();
    },
    stopped() {
      terminals.reset();
      agents.reset();
    },
  });
  topics.offer("terminals", [terminals], host);
  topics.offer("agents", [agents], host);
  topics.offer("instances", [new WholeFeed("instances", instance, [self])]);
  topics.offer("peers", [new WholeFeed("peers", instance)]);
  topics.offer("inbox", [new WholeFeed("inbox", instance)]);
  topics.offer("session.errors", [new WholeFeed("session.errors", instance)]);
  topics.offer("notify", []);
  return {
    end() {
      ended = true;
      const gone = {
        rows: [],
        removedAt: clock.now(),
        reasonOf: () => "instance_stopped" as const,
      };
      terminals.publish(gone);
      agents.publish(gone);
      topics.flush();
    },
  };
}
