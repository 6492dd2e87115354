import type { AgentInfo } from "../contract/agents.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ExplainedTerminal } from "../inventory/explain.ts";
import { ask } from "./ask.ts";
import { belonging, type Section } from "./belonging.ts";
import { messageOf, tell } from "./failure.ts";
import { agentsUnknown, type Listing } from "./listing.ts";
import type { RunningPublisher } from "./publisher.ts";
import { reachLocal } from "./reach.ts";
import { sectionsOf, sidsOf } from "./sections.ts";
import { stateText } from "./terminal-columns.ts";
import { clean } from "./text.ts";

/** What a running publisher states. */
export interface PublisherAnswer {
  readonly pid: number;
  readonly listing: Listing;
}

/** What a running publisher states of a terminal, where that is other than what we found. */
export interface Contradiction {
  /** The publisher's process. */
  readonly pid: number;
  /** Absent where it does not state the terminal. */
  readonly terminal?: TerminalInfo;
  /** Absent where it does not know which agents there are. */
  readonly section?: Section;
  readonly agents: readonly AgentInfo[];
  /** What else differs, for people. */
  readonly others: readonly string[];
}

/** Asks a publisher. `undefined` where there is none that listens, or it does not answer, which is told. */
export async function askPublisher(
  publisher: RunningPublisher | undefined,
): Promise<PublisherAnswer | undefined> {
  const transport = publisher && reachLocal(publisher);
  if (publisher === undefined || transport === undefined) return undefined;
  const { pid } = publisher;
  try {
    return { pid, listing: await ask(transport) };
  } catch (error) {
    tell(
      `the publisher (pid ${pid}) does not answer: ${messageOf(error)}; whether it states the same is not known`,
    );
    return undefined;
  }
}

/** How a publisher contradicts what we found; `undefined` where it does not. Names, titles and what is in front may
 * have changed between two looks, and are no matter of where one looks. */
export function contradictionOf(
  ours: ExplainedTerminal,
  { pid, listing }: PublisherAnswer,
): Contradiction | undefined {
  const { id, instance, pid: ownPid, state } = ours.row;
  const terminal = listing.terminals.find((row) => row.id === id && row.instance === instance);
  if (terminal === undefined) return { pid, agents: [], others: [] };
  const others = [
    ...(terminal.pid === ownPid ? [] : [`about ${processText(terminal.pid)}`]),
    ...(terminal.state === state ? [] : [stateText(terminal)]),
  ];
  if (agentsUnknown(listing) !== undefined) {
    return others.length === 0 ? undefined : { pid, terminal, agents: [], others };
  }
  const { section, agents } = placeOf(terminal, listing);
  const own = belonging(ours);
  const isSame = section === own.section && keysOf(agents) === keysOf(own.agents);
  return isSame && others.length === 0 ? undefined : { pid, terminal, section, agents, others };
}

function placeOf(terminal: TerminalInfo, { terminals, agents }: Listing) {
  const { starting, attached } = sectionsOf(terminals, agents);
  const inside = attached.find((one) => one.terminal === terminal)?.agents;
  if (inside !== undefined) return { section: "attached", agents: inside } as const;
  return { section: starting.includes(terminal) ? "starting" : "unattached", agents: [] } as const;
}

/** One word for a set of agents: which processes, with which sessions. */
const keysOf = (agents: readonly AgentInfo[]) =>
  agents
    .map(({ pid, sid = "" }) => `${pid} ${sid}`)
    .sort()
    .join();

/** The same for people, in one line. */
export function contradictionText({ pid, terminal, ...stated }: Contradiction): string {
  const who = `the publisher (pid ${pid}), which may have been given other options,`;
  if (terminal === undefined) return `${who} does not state it`;
  const { section, agents, others } = stated;
  const whose = section === undefined ? [] : [section + toText(agents)];
  return clean(`${who} states it as ${[...whose, ...others].join(", ")}`);
}

/** A run without a session is told by its process. */
function toText(agents: readonly AgentInfo[]): string {
  const sids = sidsOf(agents);
  const bare = agents.filter(({ sid }) => sid === undefined).map(({ pid }) => processText(pid));
  const all = [...sids, ...bare];
  return all.length === 0 ? "" : ` to ${all.join(", ")}`;
}

const processText = (pid: number | undefined) =>
  pid === undefined ? "no process" : `process ${pid}`;

/** The same for programs, in the words of `ls --json`. */
export function contradictionDocument({ pid, terminal, section, agents }: Contradiction): object {
  return {
    pid,
    ...(terminal === undefined ? {} : { terminal }),
    ...(section === undefined
      ? {}
      : { section, sids: sidsOf(agents), pids: agents.map((agent) => agent.pid) }),
  };
}
