import type { SourceInfo } from "../contract/sources.ts";
import { optional } from "../sources/optional.ts";
import { ago } from "./ago.ts";
import { agentsUnknown, type Listing } from "./listing.ts";
import type { InventoryOptions } from "./options.ts";
import { clean } from "./text.ts";

export interface NoteOptions {
  readonly now: number;
  /** The sockets and folders that alone were looked at. Absent: everywhere. */
  readonly tmuxSockets?: readonly string[];
  /** The configuration folders of Claude Code that were named, each of which should be there. */
  readonly claudeHomes?: readonly string[];
}

/** What notes tell of a look with these options. */
export function namedPlaces({
  tmuxSocket,
  claudeHome,
}: InventoryOptions): Pick<NoteOptions, "tmuxSockets" | "claudeHomes"> {
  return { ...optional("tmuxSockets", tmuxSocket), ...optional("claudeHomes", claudeHome) };
}

/** A line for each source that is not well, and one where nothing is known of agents. */
export function sourceNotes(listing: Listing, options: NoteOptions): string[] {
  const { terminals, sources, agentSources } = listing;
  const unknown = agentsUnknown(listing);
  return [
    ...sources.flatMap((source) => note(source, "terminals", options.now) ?? []),
    // That a manager is not there is only worth a line where nothing else is.
    ...(terminals.length === 0 ? absentNotes(sources, options) : []),
    ...agentSources.flatMap((source) => note(source, "agents", options.now) ?? []),
    ...missingHomes(agentSources, options),
    ...(unknown === undefined ? [] : [`agents are not known: ${clean(unknown)}`]),
  ];
}

function note(source: SourceInfo, rows: "terminals" | "agents", now: number): string | undefined {
  const { status, since_at, error } = source;
  const place = placeText(source);
  const why = error === undefined ? "" : `: ${clean(error.msg)}`;
  switch (status) {
    case "ok":
      return error === undefined ? undefined : `${place} is limited${why}`;
    case "absent":
      return undefined;
    case "starting":
      return `${place} has not been read yet${why}`;
    case "failing": {
      const time = ago(since_at, now);
      const since = time === "0s" ? "just now" : `for the last ${time}`;
      return `${place} could not be read ${since}, its ${rows} may be out of date${why}`;
    }
  }
}

function absentNotes(sources: readonly SourceInfo[], { tmuxSockets }: NoteOptions): string[] {
  const absent = sources.filter(({ status }) => status === "absent");
  const isLimited = tmuxSockets !== undefined && absent.some(({ scheme }) => scheme === "tmux");
  const others = absent.filter(({ scheme }) => !isLimited || scheme !== "tmux").map(placeText);
  const last = others.pop();
  return [
    ...(isLimited ? [`no tmux server was found at ${clean(tmuxSockets.join(", "))}`] : []),
    ...(last === undefined
      ? []
      : [
          others.length === 0
            ? `${last} is not running`
            : `${others.join(", ")} and ${last} are not running`,
        ]),
  ];
}

/** Folders in which there is nothing to read: such a name is more likely mistyped. */
function missingHomes(sources: readonly SourceInfo[], { claudeHomes = [] }: NoteOptions): string[] {
  return sources.flatMap(({ scheme, name, status }) =>
    scheme === "claude" && status === "absent" && name !== undefined && claudeHomes.includes(name)
      ? [`no folder of Claude Code was found at ${clean(name)}`]
      : [],
  );
}

/** Which place it is, for people. */
export function placeText({ scheme, name }: SourceInfo): string {
  return clean(name === undefined ? scheme : `${scheme} ${name}`);
}
