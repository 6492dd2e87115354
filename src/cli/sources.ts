import { ClaudeSource } from "../agents/claude.ts";
import { CodexSource } from "../agents/codex.ts";
import { CommandSource } from "../agents/commands.ts";
import type { AgentSource } from "../agents/run.ts";
import { UpstreamSource } from "../agents/upstream.ts";
import { runtimeFolder, stateFolder } from "../files/folders.ts";
import { hostPlaces } from "../host/process/places.ts";
import { HostSource } from "../inventory/host.ts";
import { HyouiSource } from "../inventory/hyoui.ts";
import { KittySource } from "../inventory/kitty.ts";
import { ScreenSource } from "../inventory/screen.ts";
import type { TerminalSource } from "../inventory/terminal.ts";
import { TmuxSource } from "../inventory/tmux.ts";
import { TtySource } from "../inventory/ttys.ts";
import { WeztermSource } from "../inventory/wezterm.ts";
import { ZellijSource } from "../inventory/zellij.ts";
import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { upstreams } from "./agents-from.ts";
import { type InventoryOptions, SOURCE_NAMES, type SourceName } from "./options.ts";

export interface SourceContext {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** The publisher that the sources are for. */
  readonly instance: string;
  readonly options: InventoryOptions;
}

/** How each source of terminals is made, in the order in which they count where two state one terminal. */
const SOURCES: Readonly<Record<SourceName, (context: SourceContext) => TerminalSource>> = {
  pty: (context) => new HostSource({ ...context, folder: hostFolder() }),
  hyoui: (context) => new HyouiSource(context),
  tmux: ({ clock, table, options: { tmuxSocket } }) =>
    new TmuxSource({ clock, table, ...(tmuxSocket === undefined ? {} : { sockets: tmuxSocket }) }),
  screen: (context) => new ScreenSource(context),
  zellij: (context) => new ZellijSource(context),
  wezterm: (context) => new WeztermSource(context),
  kitty: (context) => new KittySource(context),
  ttys: () => new TtySource(),
};

const hostFolder = () => hostPlaces(runtimeFolder(stateFolder())).folder;

/** All sources of an observation. */
export interface OpenedSources {
  readonly sources: readonly TerminalSource[];
  readonly agentSources: readonly AgentSource[];
}

/** The sources that were chosen, each once. */
export async function openSources(context: SourceContext): Promise<OpenedSources> {
  const chosen = new Set(context.options.source ?? SOURCE_NAMES);
  const names = (Object.keys(SOURCES) as SourceName[]).filter((name) => chosen.has(name));
  return {
    sources: names.map((name) => SOURCES[name](context)),
    agentSources: await openAgentSources(context),
  };
}

/** Our own before those of other publishers: of two that state one run the first counts. */
async function openAgentSources(context: SourceContext): Promise<AgentSource[]> {
  const { clock, table, instance, options } = context;
  const { claudeHome = [], agentCommand = [] } = options;
  const own = [
    new ClaudeSource({ clock, table, homes: claudeHome }),
    new CodexSource({ clock, table }),
  ];
  const commands =
    agentCommand.length === 0 ? [] : [new CommandSource({ clock, table, commands: agentCommand })];
  const others = await upstreams(options);
  return [
    ...own,
    ...commands,
    ...others.map((upstream) => new UpstreamSource({ clock, table, instance, ...upstream })),
  ];
}
