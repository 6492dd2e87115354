import { programOf } from "../agents/program.ts";
import type { AgentInfo } from "../contract/agents.ts";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ExplainedProcess } from "../inventory/explain.ts";
import { clean } from "./text.ts";

/** An agent, and the terminal whose row is about it. Absent where there is none, or it is about another. */
export interface AgentRun {
  readonly agent: AgentInfo;
  readonly terminal?: TerminalInfo;
}

/** What people call the program of an agent, whose row names none: what the source is for that reads its
 * configuration folder, the command of its terminal, the only source that can have stated it, or the harness that its
 * folder is named after (`~/.codex`). Empty where none of them says. */
export function agentName({ agent, terminal }: AgentRun, sources: readonly SourceInfo[]): string {
  const reader = sources.find(({ name }) => name === agent.config_dir)?.scheme;
  const name =
    asHarness(reader) ??
    (terminal && programOf(terminal.command, undefined)?.name) ??
    onlyScheme(sources) ??
    folderHarness(agent);
  return clean(name ?? "");
}

/** The same where the process of the agent is at hand. */
export function processName({ harness, argv, runPlace }: ExplainedProcess): string {
  const scheme = runPlace?.scheme;
  const program = programOf(argv, undefined)?.name;
  return clean(harness ?? asHarness(scheme) ?? program ?? scheme ?? "");
}

const asHarness = (name: string | undefined) => HARNESS_COMMANDS.find((one) => one === name);

/** The one scheme that an agent can be of which no folder's source has stated. Another publisher's agents can be
 * anything. */
function onlyScheme(sources: readonly SourceInfo[]): string | undefined {
  const [scheme, ...others] = new Set(
    sources.flatMap(({ scheme, name, status }) =>
      status === "absent" || (scheme === "claude" && name !== undefined) ? [] : scheme,
    ),
  );
  return others.length > 0 || scheme === "upstream" ? undefined : scheme;
}

const folderHarness = ({ config_dir }: AgentInfo) =>
  asHarness(/\/\.(?:config\/)?([a-z]+)[^/]*$/.exec(config_dir)?.[1]);
