import type { AgentInfo } from "../contract/agents.ts";
import type { InstanceInfo } from "../contract/instances.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";

/** The terminals and agents of one moment, and how sure that is. */
export interface Listing extends AgentsListing {
  readonly terminals: readonly TerminalInfo[];
  /** Those of the terminals. */
  readonly sources: readonly SourceInfo[];
  /** When the oldest of the readings behind the terminals ran. Absent before the first. */
  readonly polledAt?: number;
  /** Who has a part in it, where that was asked for. */
  readonly instances?: readonly InstanceInfo[];
}

/** The same of agents alone. */
export interface AgentsListing {
  readonly agents: readonly AgentInfo[];
  readonly agentSources: readonly SourceInfo[];
  /** When the oldest of the readings behind the agents ran. Absent also where nobody observes agents. */
  readonly agentsPolledAt?: number;
  /** Why the publisher does not tell of agents. Absent where it does. */
  readonly agentsRefusal?: string;
}

/** Why it is not known which agents there are; `undefined` where it is, or where a source says why not. */
export function agentsUnknown(listing: AgentsListing): string | undefined {
  const { agents, agentSources, agentsPolledAt, agentsRefusal } = listing;
  if (agentsRefusal !== undefined) return agentsRefusal;
  const isTold = agentsPolledAt !== undefined || agents.length > 0 || agentSources.length > 0;
  return isTold ? undefined : "the publisher does not observe them";
}

const collator = new Intl.Collator("en", { numeric: true });

/** In an order that does not depend on how they were found: by manager, then as people count. */
export function inOrder(terminals: Iterable<TerminalInfo>): TerminalInfo[] {
  const schemeOf = ({ id }: TerminalInfo) => id.slice(0, id.indexOf(":"));
  return [...terminals].sort(
    (a, b) =>
      collator.compare(schemeOf(a), schemeOf(b)) ||
      collator.compare(a.name ?? "", b.name ?? "") ||
      collator.compare(a.id, b.id) ||
      collator.compare(a.instance, b.instance),
  );
}

/** The same for agents, which are told apart by their numbers. */
export function agentsInOrder(agents: Iterable<AgentInfo>): AgentInfo[] {
  return [...agents].sort((a, b) => collator.compare(a.instance, b.instance) || a.pid - b.pid);
}
