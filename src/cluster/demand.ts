import type { Resource, Topics } from "../topics/hub.ts";
import { SHARED_TOPICS, TOPIC_TOKENS, type TopicToken } from "./subjects.ts";

/** What the subscribers of this instance read. */
export interface Demand {
  readonly tokens: ReadonlySet<TopicToken>;
  /** Whether they read anything that others have a part in: who there is among it. */
  readonly isAny: boolean;
}

export interface DemandEvents {
  changed(demand: Demand): void;
  /** Resolves once others' part of a topic can be stated; `undefined`: of the list of instances. */
  fresh(token: TopicToken | undefined): Promise<void>;
}

/** Tells what the subscribers of this instance read of what others have a part in. */
export function followDemand(topics: Topics, events: DemandEvents): void {
  const wants = new Map<TopicToken | undefined, number>();
  const changed = () =>
    events.changed({
      tokens: new Set([...wants.keys()].filter((token) => token !== undefined)),
      isAny: wants.size > 0,
    });
  const resource = (token: TopicToken | undefined): Resource => ({
    acquire() {
      const before = wants.get(token) ?? 0;
      wants.set(token, before + 1);
      if (before === 0) changed();
    },
    release() {
      const left = (wants.get(token) ?? 0) - 1;
      if (left > 0) {
        wants.set(token, left);
        return;
      }
      wants.delete(token);
      changed();
    },
    fresh: () => events.fresh(token),
  });
  for (const token of TOPIC_TOKENS) topics.draw(SHARED_TOPICS[token], resource(token));
  topics.draw("instances", resource(undefined));
}
