import type { AgentInfo } from "../contract/agents.ts";
import type { SourceInfo } from "../contract/sources.ts";
import { agentName } from "./agent-name.ts";
import type { AgentEvent } from "./attachments.ts";
import { placeText, timeText } from "./event-line.ts";
import { waits } from "./sections.ts";
import { clean } from "./text.ts";

/** What became of an agent as a line for people: time, the terminal that it is in, who it is, and what happened.
 * `undefined` where nothing differs that a person would read. `sources` are those of the agents. */
export function agentLine(
  event: AgentEvent,
  sources: readonly SourceInfo[],
  now: Date,
): string | undefined {
  const what = detail(event);
  if (what.length === 0) return undefined;
  const { terminal } = event;
  const place = terminal === undefined ? "in no terminal" : placeText(terminal);
  return [timeText(now), "agent  ", place, who(event, sources), ...what].join("  ");
}

/** The program and its session, else its process. */
function who({ agent, terminal }: AgentEvent, sources: readonly SourceInfo[]): string {
  // Where several agents are in one terminal its command is that of one of them.
  const isOwn = terminal?.pid === agent.pid;
  const run = { agent, ...(terminal !== undefined && isOwn ? { terminal } : {}) };
  const name = agentName(run, sources);
  return [name, agent.sid ?? `pid ${agent.pid}`].filter((part) => part !== "").join(" ");
}

function detail({ kind, agent, before, terminal, hasMoved, reason }: AgentEvent): string[] {
  switch (kind) {
    case "ended":
      return reason === undefined ? ["ended"] : ["ended", reason];
    case "listed":
      return ["listed", ...activity(agent)];
    case "began":
      return [terminal === undefined ? "began" : "attached", ...activity(agent)];
    case "changed":
      return [...(hasMoved ? ["attached"] : []), ...differences(before ?? agent, agent)];
  }
}

function differences(before: AgentInfo, agent: AgentInfo): string[] {
  const { sid, name, status, waiting_for } = agent;
  const does = status !== before.status || waiting_for !== before.waiting_for;
  return [
    ...(sid === before.sid ? [] : [sid === undefined ? "session ended" : "another session"]),
    ...(name === before.name ? [] : [`called ${clean(name ?? "-")}`]),
    ...(does ? activity(agent) : []),
  ];
}

/** What it does, and what it waits for. */
function activity(agent: AgentInfo): string[] {
  const { status, waiting_for } = agent;
  if (status === undefined) return [];
  const isAsked = waits(agent) && waiting_for !== undefined;
  return [isAsked ? `${clean(status)} for ${clean(waiting_for)}` : clean(status)];
}
