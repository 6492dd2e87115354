import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { ago } from "./ago.ts";
import { handles } from "./handles.ts";
import { inOrder, type Listing } from "./listing.ts";
import type { Colors } from "./output.ts";
import { type Column, tableLines } from "./table.ts";
import { clean, cut } from "./text.ts";

export interface TableOptions {
  readonly now: number;
  /** Shown as `~`. */
  readonly home: string;
  /** In cells. Absent: as wide as it takes. */
  readonly width: number | undefined;
  readonly colors: Colors;
  /** The sockets and folders that alone were looked at. Absent: everywhere. */
  readonly tmuxSockets?: readonly string[];
}

/** A listing for people: the table, and below it every source that is not well. */
export function terminalLines(listing: Listing, options: TableOptions): string[] {
  const { width, colors, tmuxSockets } = options;
  const { terminals, sources } = listing;
  const notes = sources
    .flatMap((source) => sourceNote(source, terminals.length === 0, options) ?? [])
    .map((note) => (width === undefined ? note : cut(note, width)))
    .map(colors.yellow);
  if (terminals.length === 0) return [emptyLine(sources, tmuxSockets !== undefined), ...notes];
  const table = tableLines(columns(terminals, options), inOrder(terminals), width, colors);
  return notes.length === 0 ? table : [...table, "", ...notes];
}

function columns(
  terminals: readonly TerminalInfo[],
  { now, home, colors }: TableOptions,
): Column<TerminalInfo>[] {
  // Where there is little room, what a terminal does is kept, and its name before its id.
  const named = terminals.every(({ name }) => name !== undefined);
  return [
    {
      title: "TERMINAL",
      cell: handles(terminals),
      least: 12,
      missing: "start",
      leaves: named ? 0 : 6,
    },
    { title: "NAME", cell: ({ name = "" }) => clean(name), least: 8, leaves: 5 },
    {
      title: "STATE",
      cell: stateText,
      paint: (text, { state }) => (state === "running" ? text : colors.red(text)),
    },
    { title: "COMMAND", cell: commandText, least: 10, paint: colors.cyan },
    {
      title: "CWD",
      cell: ({ cwd = "" }) => clean(shortened(cwd, home)),
      least: 8,
      missing: "start",
      leaves: 4,
    },
    { title: "PID", cell: ({ pid = "" }) => String(pid), leaves: 3 },
    {
      title: "SINCE",
      cell: ({ started_at }) => (started_at === undefined ? "" : ago(started_at, now)),
      leaves: 2,
    },
    {
      title: "TITLE",
      cell: ({ title = "" }) => clean(title),
      least: 8,
      paint: colors.dim,
      leaves: 1,
    },
  ];
}

/** The state, how it ended, and whether it rings: `dead (1)`, `running, bell`. */
export function stateText({ state, exit_code, exit_signal, bell }: TerminalInfo): string {
  const ended = exit_signal ?? exit_code;
  const how = ended === undefined ? "" : ` (${ended})`;
  return `${clean(state)}${how}${bell === true ? ", bell" : ""}`;
}

/** The command as it could be typed: arguments that are more than one word are quoted. */
export function commandText({ command }: TerminalInfo): string {
  return clean(command.map(quoted).join(" "));
}

const quoted = (argument: string) =>
  /^[^\s'"]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

function shortened(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function emptyLine(sources: readonly SourceInfo[], isPart: boolean): string {
  const isSure = sources.every(({ status }) => status === "ok" || status === "absent");
  if (!isSure) return "No terminals are known.";
  return isPart ? "There are no terminals there." : "There are no terminals.";
}

/** What there is to say of a source. That one is absent is only worth a line where nothing else is there. */
function sourceNote(
  source: SourceInfo,
  isEmpty: boolean,
  { now, tmuxSockets }: TableOptions,
): string | undefined {
  const { scheme, name, status, since_at, error } = source;
  const place = clean(name === undefined ? scheme : `${scheme} ${name}`);
  const why = error === undefined ? "" : `: ${clean(error.msg)}`;
  switch (status) {
    case "ok":
      return error === undefined ? undefined : `${place} is limited${why}`;
    case "absent":
      if (!isEmpty) return undefined;
      return scheme === "tmux" && tmuxSockets !== undefined
        ? `no tmux server was found at ${clean(tmuxSockets.join(", "))}`
        : `${place} is not running`;
    case "starting":
      return `${place} has not been read yet${why}`;
    case "failing": {
      const time = ago(since_at, now);
      const since = time === "0s" ? "just now" : `for the last ${time}`;
      return `${place} could not be read ${since}, its terminals may be out of date${why}`;
    }
  }
}
