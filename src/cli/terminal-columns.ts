import type { TerminalInfo } from "../contract/terminals.ts";
import type { AgentRun } from "./agent-name.ts";
import { ago } from "./ago.ts";
import type { Colors } from "./output.ts";
import type { Column } from "./table.ts";
import { clean } from "./text.ts";

/** How a column is filled. */
export interface ColumnContext {
  readonly now: number;
  /** Shown as `~`. */
  readonly home: string;
  readonly colors: Colors;
  /** What the host of an instance is called; empty where all is on one. */
  readonly host: (instance: string) => string;
  /** The short name of a terminal. */
  readonly handle: (terminal: Pick<TerminalInfo, "id">) => string;
  /** The short name of a session. */
  readonly session: (sid: string) => string;
  /** What the program of an agent is called. */
  readonly program: (run: AgentRun) => string;
}

/** In which order columns are left out where there is no room for all. What a terminal does is kept longest, and its
 * name longer than its id. */
const LEAVING = [
  "TITLE",
  "SINCE",
  "PID",
  "KIND",
  "COMMAND",
  "CWD",
  "CALLED",
  "NAME",
  "TERMINAL",
  "FRONT",
  "AGENT",
  "SESSION",
  "HOST",
] as const;

export const leaves = (title: (typeof LEAVING)[number]): number => 1 + LEAVING.indexOf(title);

/** What tells terminals from each other. */
export function identityColumns(
  terminals: readonly TerminalInfo[],
  { handle, host }: ColumnContext,
): Column<TerminalInfo>[] {
  const named = terminals.every(({ name }) => name !== undefined);
  return [
    { title: "HOST", cell: ({ instance }) => host(instance), least: 4, leaves: leaves("HOST") },
    {
      title: "TERMINAL",
      cell: handle,
      least: 12,
      missing: "start",
      leaves: named ? 0 : leaves("TERMINAL"),
    },
    { title: "NAME", cell: ({ name = "" }) => clean(name), least: 12, leaves: leaves("NAME") },
  ];
}

/** What goes on in terminals. */
export function activityColumns({ now, home, colors }: ColumnContext): Column<TerminalInfo>[] {
  return [
    { title: "COMMAND", cell: commandText, least: 10, paint: colors.cyan },
    {
      title: "FRONT",
      cell: ({ foreground = "" }) => clean(foreground),
      least: 6,
      leaves: leaves("FRONT"),
    },
    {
      title: "CWD",
      cell: ({ cwd = "" }) => clean(shortened(cwd, home)),
      least: 8,
      missing: "start",
      leaves: leaves("CWD"),
    },
    { title: "PID", cell: ({ pid = "" }) => String(pid), leaves: leaves("PID") },
    {
      title: "SINCE",
      cell: ({ started_at }) => (started_at === undefined ? "" : ago(started_at, now)),
      leaves: leaves("SINCE"),
    },
    {
      title: "TITLE",
      cell: ({ title = "" }) => clean(title),
      least: 8,
      paint: colors.dim,
      leaves: leaves("TITLE"),
    },
  ];
}

export function stateColumn({ colors }: ColumnContext): Column<TerminalInfo> {
  return {
    title: "STATE",
    cell: stateText,
    paint: (text, { state }) => (state === "running" ? text : colors.red(text)),
  };
}

/** The state, how it ended, and whether it rings: `dead (1)`, `running, bell`. */
export function stateText({ state, exit_code, exit_signal, bell }: TerminalInfo): string {
  const ended = exit_signal ?? exit_code;
  const how = ended === undefined ? "" : ` (${ended})`;
  return `${clean(state)}${how}${bell === true ? ", bell" : ""}`;
}

/** The command as it could be typed: arguments that are more than one word are quoted. */
export function commandText({ command }: Pick<TerminalInfo, "command">): string {
  return clean(command.map(quoted).join(" "));
}

const quoted = (argument: string) =>
  /^[^\s'"]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** A path with the home folder in short. */
export function shortened(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
