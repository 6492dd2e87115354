import type { AgentInfo } from "../contract/agents.ts";
import type { ExplainedTerminal } from "../inventory/explain.ts";
import { type Sections, sectionsOf } from "./sections.ts";

/** What `ls` lists a terminal under. */
export type Section = Exclude<keyof Sections, "elsewhere">;

/** In which section `ls` lists a terminal, and the agents in it. */
export function belonging({ row, processes }: ExplainedTerminal): {
  readonly section: Section;
  readonly agents: readonly AgentInfo[];
} {
  const runs = processes.flatMap(({ run }) => run ?? []);
  const { starting, attached } = sectionsOf([row], runs);
  const agents = attached[0]?.agents ?? [];
  const section =
    attached.length > 0 ? "attached" : starting.length > 0 ? "starting" : "unattached";
  return { section, agents };
}
