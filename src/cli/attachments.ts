import type { AgentInfo } from "../contract/agents.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import type { RemovalReason } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { isOfPublisher, type RowEvent, type TerminalEvent } from "./history.ts";
import { sectionsOf, waits } from "./sections.ts";

/** What a terminal comes into when agents come, wait and go: three sections of which it is in one, and `waiting`. */
export const WHOSE_STATES = ["starting", "attached", "unattached", "waiting"] as const;
export type WhoseState = (typeof WHOSE_STATES)[number];

/** A terminal has come into a state. */
export interface Entrance {
  readonly state: WhoseState;
  readonly terminal: TerminalInfo;
  /** The agents in it; for `waiting` those of them that wait. */
  readonly agents: readonly AgentInfo[];
}

/** What became of an agent.
 *
 * - `listed`: it was there before its publisher was listened to.
 * - `began`: it is new.
 * - `changed`: its row, or the terminal that it is in, is another than before.
 * - `ended`: it is gone. */
export interface AgentEvent {
  readonly kind: "listed" | "began" | "changed" | "ended";
  readonly agent: AgentInfo;
  readonly before?: AgentInfo;
  /** The terminal that it is in, or was in last. */
  readonly terminal?: TerminalInfo;
  /** Whether it has come into that terminal. */
  readonly hasMoved: boolean;
  readonly reason?: RemovalReason;
}

interface Run {
  readonly agent: AgentInfo;
  readonly terminal: TerminalInfo | undefined;
}

/** How a terminal was at the last look. */
interface Seen {
  readonly section: WhoseState;
  /** One word for each wait of an agent in it. */
  readonly waits: ReadonlySet<string>;
}

/** Tells what became of agents, and of terminals by their agents, by comparing each look at the rows of a publisher
 * with the last one: the rows of both topics have to be seen together, and they come in frames of their own. */
export class Attachments {
  readonly #terminals = new Map<string, Seen>();
  readonly #runs = new Map<string, Run>();
  /** Terminals and agents that were there before. */
  readonly #listed = new Set<string>();
  readonly #reasons = new Map<string, RemovalReason>();

  /** Takes note of what became of rows since the last look. */
  noteTerminals(events: readonly TerminalEvent[]): void {
    for (const event of events) {
      const key = terminalKey(event.row);
      this.#noteListed(key, event);
      // One that comes again is another one.
      if (event.kind === "gone" && !isOfPublisher(event.reason)) this.#terminals.delete(key);
    }
  }

  noteAgents(events: readonly RowEvent<AgentInfo>[]): void {
    for (const event of events) {
      const key = runKey(event.row);
      this.#noteListed(key, event);
      if (event.kind !== "gone" || event.reason === undefined || !this.#runs.has(key)) continue;
      if (!isOfPublisher(event.reason)) this.#reasons.set(key, event.reason);
    }
  }

  /** Looks at all rows of a publisher. */
  look(
    instance: InstanceId,
    terminals: readonly TerminalInfo[],
    agents: readonly AgentInfo[],
  ): { readonly entrances: Entrance[]; readonly agents: AgentEvent[] } {
    const { starting, attached, unattached, elsewhere } = sectionsOf(terminals, agents);
    const found = { instance, terminals: new Set<string>(), runs: new Set<string>() };
    const entrances: Entrance[] = [];
    const events: AgentEvent[] = [];
    const see = (section: WhoseState, terminal: TerminalInfo, inside: readonly AgentInfo[]) => {
      found.terminals.add(terminalKey(terminal));
      entrances.push(...this.#entrances(section, terminal, inside));
      for (const agent of inside) events.push(...this.#take({ agent, terminal }, found.runs));
    };
    for (const terminal of starting) see("starting", terminal, []);
    for (const { terminal, agents: inside } of attached) see("attached", terminal, inside);
    for (const terminal of unattached) see("unattached", terminal, []);
    for (const agent of elsewhere) {
      events.push(...this.#take({ agent, terminal: undefined }, found.runs));
    }
    const ended = this.#forget(found);
    this.#listed.clear();
    this.#reasons.clear();
    return { entrances, agents: [...ended, ...events] };
  }

  #noteListed(key: string, { kind }: RowEvent<unknown>): void {
    if (kind === "listed") this.#listed.add(key);
    else if (kind !== "changed") this.#listed.delete(key);
  }

  #entrances(
    section: WhoseState,
    terminal: TerminalInfo,
    agents: readonly AgentInfo[],
  ): Entrance[] {
    const key = terminalKey(terminal);
    const waiting = agents.filter(waits);
    const before = this.#terminals.get(key);
    this.#terminals.set(key, { section, waits: new Set(waiting.map(waitKey)) });
    if (before === undefined && this.#listed.has(key)) return [];
    const entrances: Entrance[] = [];
    if (before?.section !== section) entrances.push({ state: section, terminal, agents });
    if (waiting.some((agent) => !before?.waits.has(waitKey(agent)))) {
      entrances.push({ state: "waiting", terminal, agents: waiting });
    }
    return entrances;
  }

  #take(run: Run, found: Set<string>): AgentEvent[] {
    const { agent, terminal } = run;
    const key = runKey(agent);
    const last = this.#runs.get(key);
    found.add(key);
    this.#runs.set(key, run);
    const place = terminal === undefined ? {} : { terminal };
    if (last === undefined || isAnother(last.agent, agent)) {
      const kind = last === undefined && this.#listed.has(key) ? "listed" : "began";
      const began = { kind, agent, ...place, hasMoved: terminal !== undefined } as const;
      return last === undefined ? [began] : [this.#ended(key, last), began];
    }
    const hasMoved =
      terminal !== undefined &&
      (last.terminal === undefined || terminalKey(terminal) !== terminalKey(last.terminal));
    // The same object is the same row.
    if (!hasMoved && last.agent === agent) return [];
    return [{ kind: "changed", agent, before: last.agent, ...place, hasMoved }];
  }

  #ended(key: string, { agent, terminal }: Run): AgentEvent {
    const reason = this.#reasons.get(key);
    return {
      kind: "ended",
      agent,
      ...(terminal === undefined ? {} : { terminal }),
      hasMoved: false,
      ...(reason === undefined ? {} : { reason }),
    };
  }

  /** What a publisher does not state any more is gone. */
  #forget(found: {
    readonly instance: InstanceId;
    readonly terminals: ReadonlySet<string>;
    readonly runs: ReadonlySet<string>;
  }): AgentEvent[] {
    const isGone = (key: string, kept: ReadonlySet<string>) =>
      key.startsWith(`${found.instance} `) && !kept.has(key);
    for (const key of [...this.#terminals.keys()]) {
      if (isGone(key, found.terminals)) this.#terminals.delete(key);
    }
    return [...this.#runs].flatMap(([key, run]) => {
      if (!isGone(key, found.runs)) return [];
      this.#runs.delete(key);
      return [this.#ended(key, run)];
    });
  }
}

const terminalKey = ({ instance, id }: TerminalInfo) => `${instance} ${id}`;

const runKey = ({ instance, pid }: AgentInfo) => `${instance} ${pid}`;

/** One that waits anew, having been answered meanwhile, waits since another instant. */
const waitKey = ({ pid, status_at, waiting_for }: AgentInfo) =>
  `${pid} ${status_at} ${waiting_for}`;

/** Whether a process has its number from another one. */
function isAnother(last: AgentInfo, agent: AgentInfo): boolean {
  const isKnown = last.start_tick !== undefined && agent.start_tick !== undefined;
  return isKnown && last.start_tick !== agent.start_tick;
}
