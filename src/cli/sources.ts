import type { TerminalSource } from "../inventory/terminal.ts";
import { TmuxSource } from "../inventory/tmux.ts";
import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { type InventoryOptions, SOURCE_NAMES, type SourceName } from "./options.ts";

export interface SourceContext {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly options: InventoryOptions;
}

/** How each source is made. */
const SOURCES: Readonly<Record<SourceName, (context: SourceContext) => TerminalSource>> = {
  tmux: ({ clock, table, options: { tmuxSocket } }) =>
    new TmuxSource({ clock, table, ...(tmuxSocket === undefined ? {} : { sockets: tmuxSocket }) }),
};

/** The sources that were chosen, each once. */
export function openSources(context: SourceContext): TerminalSource[] {
  const names = new Set(context.options.source ?? SOURCE_NAMES);
  return [...names].map((name) => SOURCES[name](context));
}
