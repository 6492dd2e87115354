import type { AgentInfo } from "../../contract/agents.ts";
import { classify } from "../../contract/derivations.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";

/** The parts of the list, in the order in which a person is needed. */
export const SECTIONS = ["needs", "starting", "attached", "unattached", "ended"] as const;
export type Section = (typeof SECTIONS)[number];

export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  needs: "Needs you",
  starting: "Starting",
  attached: "Attached",
  unattached: "Unattached",
  ended: "Ended",
};

/** A terminal in its place in the list. */
export interface Placed {
  readonly terminal: TerminalInfo;
  readonly section: Section;
  /** The run in it; of several the one that waits, else the newest. */
  readonly agent: AgentInfo | undefined;
}

const processKey = ({ instance, pid }: { instance: string; pid?: number }) => `${instance}/${pid}`;

/** Puts every terminal into the one part of the list that it belongs to. */
export function place(terminals: readonly TerminalInfo[], agents: readonly AgentInfo[]): Placed[] {
  const runs = new Map<string, AgentInfo>();
  for (const agent of agents) {
    const key = processKey(agent);
    const other = runs.get(key);
    if (other === undefined || isMore(agent, other)) runs.set(key, agent);
  }
  const { starting, unattached, attached } = classify(terminals, agents);
  const placed: Placed[] = [];
  const put = (terminal: TerminalInfo, section: Section) => {
    const agent = terminal.pid === undefined ? undefined : runs.get(processKey(terminal));
    placed.push({ terminal, agent, section: needs(terminal, agent) ? "needs" : section });
  };
  for (const terminal of starting) put(terminal, "starting");
  for (const { terminal } of attached) put(terminal, "attached");
  for (const terminal of unattached) {
    put(terminal, terminal.state === "dead" ? "ended" : "unattached");
  }
  return placed;
}

const needs = ({ bell, state }: TerminalInfo, agent: AgentInfo | undefined): boolean =>
  agent?.status === "waiting" || (bell === true && state !== "dead");

const isMore = (one: AgentInfo, other: AgentInfo) =>
  Number(one.status === "waiting") - Number(other.status === "waiting") > 0 ||
  (one.status === other.status && one.started_at > other.started_at);

/** The order within a part of the list. It stands still while a terminal is what it is: who waits longest first, sessions
 * together, else what began last first. */
export function inOrder(one: Placed, other: Placed): number {
  if (one.section === "needs") {
    const waited = waitsSince(one) - waitsSince(other);
    if (waited !== 0) return waited;
  }
  if (one.section === "attached") {
    const [a, b] = [one.agent?.sid ?? "", other.agent?.sid ?? ""];
    if (a !== b) return a < b ? 1 : -1;
  }
  const began = (other.terminal.started_at ?? 0) - (one.terminal.started_at ?? 0);
  if (began !== 0) return began;
  return one.terminal.id < other.terminal.id ? -1 : 1;
}

const waitsSince = ({ agent }: Placed) => agent?.status_at ?? Number.MAX_SAFE_INTEGER;
