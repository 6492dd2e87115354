import type { InstanceInfo } from "../contract/instances.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { Observation } from "../inventory/observation.ts";
import type { Known, ObservationOptions } from "../inventory/observed.ts";
import { createMeasure } from "../inventory/usage/measure.ts";
import { ElementFeed, type Publication } from "./elements.ts";
import { type GoneRow, GoneRows } from "./gone-rows.ts";
import type { Topics } from "./hub.ts";
import type { OwnTopic } from "./own-topic.ts";
import { RowLookup } from "./row-lookup.ts";
import { offerUsage } from "./usage.ts";
import { WholeFeed } from "./whole.ts";

/** How long a terminal that was opened may take to be stated, in milliseconds. Mostly it is some; its host may be busy. */
const OPENED_MS = 2_000;

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
  readonly own: readonly OwnTopic[];
  /** The list of instances: this one, and those that others state. */
  readonly instances: WholeFeed<"instances">;
  /** The terminal of that id as it is stated now, whether or not anybody is subscribed; `undefined` where none is. */
  terminal(id: string): Promise<TerminalInfo | undefined>;
  /** The same for a terminal that is known to be there: it is waited for. */
  opened(id: string): Promise<TerminalInfo | undefined>;
  /** What became of a terminal that was stated before; `undefined` where that is not known. */
  gone(id: string): GoneRow<TerminalInfo> | undefined;
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
  const gone = new GoneRows<TerminalInfo>();
  let ended = false;
  const host = new Observation(observation, {
    observed(observed) {
      if (ended) return;
      const { at, signAt } = observed;
      const { rows, reasonOf } = observed.terminals;
      lookup.state(rows);
      gone.state({ rows, at, reasonOf, isUnread: unreadAmong(observed.terminals.sources) });
      // Both are published, whether or not the first one changed.
      const changed = [
        terminals.publish(publicationOf(observed.terminals, at)),
        agents.publish(publicationOf(observed.agents, at)),
      ];
      if (changed.includes(true)) topics.changed(signAt);
    },
    bookmark(standings) {
      terminals.bookmarkAt(standings.terminals);
      agents.bookmarkAt(standings.agents);
      topics.changed();
    },
    stopped() {
      lookup.state([]);
      gone.lookAway();
      terminals.reset();
      agents.reset();
    },
  });
  const lookup = new RowLookup<TerminalInfo>(clock, host);
  topics.offer("terminals", [terminals], host);
  topics.offer("agents", [agents], host);
  const usage = offerUsage({
    topics,
    instance,
    epoch,
    clock,
    observation: host,
    measure: createMeasure({ clock, table: observation.table }),
    onSample: ({ outcome, ms }) => observation.onReading?.({ scheme: "usage", outcome, ms }),
  });
  const instances = new WholeFeed("instances", instance, [self]);
  topics.offer("instances", [instances]);
  topics.offer("peers", [new WholeFeed("peers", instance)]);
  topics.offer("inbox", [new WholeFeed("inbox", instance)]);
  topics.offer("session.errors", [new WholeFeed("session.errors", instance)]);
  topics.offer("notify", []);
  return {
    own: [
      { topic: "terminals", feed: terminals, resource: host },
      { topic: "agents", feed: agents, resource: host },
      usage.own,
    ],
    instances,
    terminal: (id) => lookup.find(id),
    opened: (id) => lookup.find(id, OPENED_MS),
    gone: (id) => gone.find(id),
    end() {
      ended = true;
      const removedAt = clock.now();
      terminals.publish({ rows: [], removedAt, reasonOf: () => "instance_stopped" });
      agents.publish({ rows: [], removedAt, reasonOf: () => "instance_stopped" });
      usage.end();
      topics.flush();
    },
  };
}

/** Whether a terminal may be there unstated, because a place of its scheme was not read yet, or could not be. */
function unreadAmong(sources: readonly SourceInfo[]): (row: TerminalInfo) => boolean {
  const unread = new Set<string>();
  for (const { scheme, status } of sources) {
    if (status === "starting" || status === "failing") unread.add(scheme);
  }
  return ({ id }) => unread.has(id.slice(0, id.indexOf(":")));
}

function publicationOf<Row>(
  { rows, polledAt, sources, reasonOf }: Known<Row>,
  at: number,
): Publication<Row> {
  return {
    rows,
    sources,
    removedAt: at,
    reasonOf,
    ...(polledAt === undefined ? {} : { polledAt }),
  };
}
