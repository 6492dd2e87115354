import type { AgentInfo } from "../contract/agents.ts";
import { classify } from "../contract/derivations.ts";
import type { TerminalInfo } from "../contract/terminals.ts";

/** A terminal with the agents in it. */
export interface Attached {
  readonly terminal: TerminalInfo;
  /** The one that the terminal's row is about, then the others, newest first. Never empty. */
  readonly agents: readonly AgentInfo[];
}

/** Every terminal in one of the first three, every agent in `attached` or in `elsewhere`. */
export interface Sections {
  readonly starting: readonly TerminalInfo[];
  readonly attached: readonly Attached[];
  readonly unattached: readonly TerminalInfo[];
  /** Agents in none of the terminals. */
  readonly elsewhere: readonly AgentInfo[];
}

/** Sorts terminals and agents, keeping the order of each. An agent is in the terminal whose row is about its process;
 * one that no row is about is in the terminal that it states, if that is an attached one: a pid is in one row
 * only, so a second run in a terminal has no other way to be found. */
export function sectionsOf(
  terminals: readonly TerminalInfo[],
  agents: readonly AgentInfo[],
): Sections {
  const { starting, attached, unattached } = classify(terminals, agents);
  const own = new Map<string, AgentInfo[]>();
  const others = new Map<string, AgentInfo[]>();
  for (const { terminal } of attached) {
    own.set(`${terminal.instance} ${terminal.pid}`, []);
    others.set(`${terminal.instance} ${terminal.id}`, []);
  }
  const elsewhere = agents.filter((agent) => {
    const { instance, pid, terminal_id } = agent;
    const place = own.get(`${instance} ${pid}`) ?? others.get(`${instance} ${terminal_id}`);
    place?.push(agent);
    return place === undefined;
  });
  return {
    starting,
    attached: attached.map(({ terminal }) => ({
      terminal,
      agents: [
        ...(own.get(`${terminal.instance} ${terminal.pid}`) ?? []),
        ...(others.get(`${terminal.instance} ${terminal.id}`) ?? []).sort(byStart),
      ],
    })),
    unattached,
    elsewhere,
  };
}

const byStart = (a: AgentInfo, b: AgentInfo) => b.started_at - a.started_at || b.pid - a.pid;

/** Whether an agent waits for a person. */
export const waits = ({ status }: AgentInfo) => status === "waiting";

/** The sessions of agents, each once. */
export const sidsOf = (agents: readonly AgentInfo[]): string[] => [
  ...new Set(agents.flatMap(({ sid }) => sid ?? [])),
];
