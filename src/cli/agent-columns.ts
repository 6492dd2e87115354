import type { AgentInfo } from "../contract/agents.ts";
import type { AgentRun } from "./agent-name.ts";
import { ago } from "./ago.ts";
import { waits } from "./sections.ts";
import type { Column } from "./table.ts";
import { type ColumnContext, leaves, shortened } from "./terminal-columns.ts";
import { clean } from "./text.ts";

/** Who an agent is, and what it does. */
export function agentColumns({ now, colors, session, program }: ColumnContext): Column<AgentRun>[] {
  const paint = (text: string, { agent }: AgentRun) =>
    waits(agent) ? colors.bold(colors.yellow(text)) : text;
  return [
    { title: "AGENT", cell: program, least: 6, leaves: leaves("AGENT") },
    {
      title: "SESSION",
      cell: ({ agent: { sid } }) => (sid === undefined ? "" : session(sid)),
      leaves: leaves("SESSION"),
    },
    {
      title: "CALLED",
      cell: ({ agent: { name = "" } }) => clean(name),
      least: 12,
      leaves: leaves("CALLED"),
    },
    { title: "STATUS", cell: ({ agent }) => statusText(agent, now), paint },
    {
      title: "WAITS FOR",
      cell: ({ agent }) => (waits(agent) ? clean(agent.waiting_for ?? "") : ""),
      least: 20,
      paint,
    },
  ];
}

/** What is told of an agent beside, where no row of a terminal is about it. */
export function runColumns({ now, home, handle }: ColumnContext): Column<AgentRun>[] {
  return [
    { title: "KIND", cell: ({ agent: { kind } }) => clean(kind), leaves: leaves("KIND") },
    // That it states one does not make it so: none of the terminals that are known is about its process.
    {
      title: "TERMINAL",
      cell: ({ agent: { terminal_id } }) =>
        terminal_id === undefined ? "" : handle({ id: terminal_id }),
      least: 12,
      missing: "start",
      leaves: 0,
    },
    {
      title: "CWD",
      cell: ({ agent: { cwd } }) => clean(shortened(cwd, home)),
      least: 8,
      missing: "start",
      leaves: leaves("CWD"),
    },
    { title: "PID", cell: ({ agent: { pid } }) => String(pid) },
    {
      title: "SINCE",
      cell: ({ agent: { started_at } }) => ago(started_at, now),
      leaves: leaves("SINCE"),
    },
  ];
}

/** What it does, and for how long: `busy 3m`. */
export function statusText({ status, status_at }: AgentInfo, now: number): string {
  if (status === undefined) return "";
  return status_at === undefined ? clean(status) : `${clean(status)} ${ago(status_at, now)}`;
}
