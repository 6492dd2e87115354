import { basename } from "node:path";
import type { AgentInfo } from "../contract/agents.ts";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { ago } from "./ago.ts";
import { waits } from "./sections.ts";
import type { Column } from "./table.ts";
import { type ColumnContext, leaves, shortened } from "./terminal-columns.ts";
import { clean } from "./text.ts";

/** An agent, and the terminal whose row is about it. Absent where there is none, or it is about another. */
export interface AgentRun {
  readonly agent: AgentInfo;
  readonly terminal?: TerminalInfo;
}

/** Who an agent is, and what it does. */
export function agentColumns({ now, colors, session }: ColumnContext): Column<AgentRun>[] {
  const paint = (text: string, { agent }: AgentRun) =>
    waits(agent) ? colors.bold(colors.yellow(text)) : text;
  return [
    { title: "AGENT", cell: agentName, least: 6, leaves: leaves("AGENT") },
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

/** What people call the program: the command of its terminal, else the harness that its configuration folder is
 * named after (`~/.codex`), for an agent's row names no program. Empty where neither says. */
export function agentName({ agent, terminal }: AgentRun): string {
  const command = terminal?.command[0];
  if (command !== undefined) return clean(basename(command));
  const folder = /\/\.(?:config\/)?([a-z]+)[^/]*$/.exec(agent.config_dir)?.[1];
  return HARNESS_COMMANDS.find((harness) => harness === folder) ?? "";
}

/** What it does, and for how long: `busy 3m`. */
export function statusText({ status, status_at }: AgentInfo, now: number): string {
  if (status === undefined) return "";
  return status_at === undefined ? clean(status) : `${clean(status)} ${ago(status_at, now)}`;
}
