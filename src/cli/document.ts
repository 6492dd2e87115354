import type { TerminalInfo } from "../contract/terminals.ts";
import { agentsInOrder, inOrder, type Listing } from "./listing.ts";
import { sectionsOf, sidsOf } from "./sections.ts";

/** A listing for programs: the rows and sources as the topics state them, and which section each terminal is in. */
export function listingDocument(listing: Listing): object {
  const { sources, agentSources, polledAt, agentsPolledAt, instances } = listing;
  const terminals = inOrder(listing.terminals);
  const agents = agentsInOrder(listing.agents);
  const { starting, attached, unattached } = sectionsOf(terminals, agents);
  return {
    terminals,
    agents,
    starting: starting.map(identity),
    attached: attached.map(({ terminal, agents: inside }) => ({
      ...identity(terminal),
      sids: sidsOf(inside),
      pids: inside.map(({ pid }) => pid),
    })),
    unattached: unattached.map(identity),
    sources,
    agent_sources: agentSources,
    ...(instances === undefined ? {} : { instances }),
    ...(polledAt === undefined ? {} : { polled_at: polledAt }),
    ...(agentsPolledAt === undefined ? {} : { agents_polled_at: agentsPolledAt }),
  };
}

const identity = ({ instance, id }: TerminalInfo) => ({ instance, id });
