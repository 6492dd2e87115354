import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import { agentColumns, runColumns } from "./agent-columns.ts";
import { type AgentRun, agentName } from "./agent-name.ts";
import { handles, sessionHandles } from "./handles.ts";
import { agentsInOrder, inOrder, type Listing } from "./listing.ts";
import type { Colors } from "./output.ts";
import { type Attached, sectionsOf, sidsOf } from "./sections.ts";
import { type NoteOptions, sourceNotes } from "./source-notes.ts";
import { type Column, tableLines } from "./table.ts";
import {
  activityColumns,
  type ColumnContext,
  identityColumns,
  leaves,
  stateColumn,
  stateText,
} from "./terminal-columns.ts";
import { clean, cut } from "./text.ts";

export interface ListingOptions extends NoteOptions {
  /** Shown as `~`. */
  readonly home: string;
  /** In cells. Absent: as wide as it takes. */
  readonly width: number | undefined;
  readonly colors: Colors;
  /** Whether terminals were looked for in some places only. */
  readonly isPart?: boolean;
}

/** A listing for people: a table for each section that is not empty, and below them every source that is not
 * well. */
export function listingLines(listing: Listing, options: ListingOptions): string[] {
  const { width, colors, isPart = false } = options;
  const { terminals, agents, sources, agentSources } = listing;
  const context: ColumnContext = {
    ...options,
    host: hostNames(listing),
    handle: handles(terminals),
    session: sessionHandles(sidsOf(agents)),
    program: (run) => agentName(run, agentSources),
  };
  const { starting, attached, unattached, elsewhere } = sectionsOf(
    inOrder(terminals),
    agentsInOrder(agents),
  );
  const section = <Row>(title: string, count: number, columns: Column<Row>[], rows: Row[]) => {
    if (count === 0) return [];
    const heading = `${title} (${count})`;
    const shown = width === undefined ? heading : cut(heading, width);
    return [[colors.bold(shown), ...tableLines(columns, rows, width, colors)]];
  };
  const notes = sourceNotes(listing, options)
    .map((note) => (width === undefined ? note : cut(note, width)))
    .map(colors.yellow);
  const isNone = terminals.length === 0;
  const blocks = [
    ...section("starting", starting.length, terminalTable(starting, context), [...starting]),
    ...section("attached", attached.length, attachedTable(attached, context), lines(attached)),
    ...section("unattached", unattached.length, terminalTable(unattached, context), [
      ...unattached,
    ]),
    ...section(
      "agents in none of these terminals",
      elsewhere.length,
      elsewhereTable(context),
      elsewhere.map((agent) => ({ agent })),
    ),
  ];
  if (isNone) blocks.unshift([emptyLine(sources, isPart)]);
  // Where there is nothing else, why is said in one breath.
  if (isNone && blocks.length === 1) return [...(blocks[0] ?? []), ...notes];
  if (notes.length > 0) blocks.push(notes);
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

function terminalTable(
  terminals: readonly TerminalInfo[],
  context: ColumnContext,
): Column<TerminalInfo>[] {
  return [
    ...identityColumns(terminals, context),
    stateColumn(context),
    ...activityColumns(context),
  ];
}

/** A line for each terminal with the agent that its row is about, and below it one for each other agent in it. */
const lines = (attached: readonly Attached[]): AgentRun[] =>
  attached.flatMap(({ terminal, agents }) =>
    agents.map((agent, index) => (index === 0 ? { agent, terminal } : { agent })),
  );

function attachedTable(attached: readonly Attached[], context: ColumnContext): Column<AgentRun>[] {
  const terminals = attached.map(({ terminal }) => terminal);
  const ofTerminal = (column: Column<TerminalInfo>): Column<AgentRun> => ({
    ...column,
    cell: ({ terminal }) => (terminal === undefined ? "" : column.cell(terminal)),
    paint: (text, { terminal }) =>
      terminal === undefined ? text : (column.paint?.(text, terminal) ?? text),
  });
  // An agent that lives says itself that its terminal runs.
  const state = stateColumn(context);
  const oddState: Column<TerminalInfo> = {
    ...state,
    cell: (terminal) => (stateText(terminal) === "running" ? "" : state.cell(terminal)),
  };
  const ofRun = new Map(runColumns(context).map((column) => [column.title, column]));
  const activity = activityColumns(context).map((column) => {
    const shown = ofTerminal(column);
    // The agent's name says the best part of it.
    if (column.title === "COMMAND") return { ...shown, leaves: leaves("COMMAND") };
    const other = ofRun.get(column.title);
    if (other === undefined) return shown;
    const cell = (line: AgentRun) =>
      line.terminal === undefined ? other.cell(line) : shown.cell(line);
    return { ...shown, cell };
  });
  return [
    ...identityColumns(terminals, context).map(ofTerminal),
    ...agentColumns(context),
    ofTerminal(oddState),
    ...activity,
  ];
}

function elsewhereTable(context: ColumnContext): Column<AgentRun>[] {
  const host: Column<AgentRun> = {
    title: "HOST",
    cell: ({ agent }) => context.host(agent.instance),
    least: 4,
    leaves: leaves("HOST"),
  };
  return [host, ...agentColumns(context), ...runColumns(context)];
}

/** What the hosts are called that a listing is of; nothing where it is one. */
function hostNames({ terminals, agents, instances = [] }: Listing): (instance: string) => string {
  const parts = new Set([...terminals, ...agents].map(({ instance }) => instance));
  if (parts.size < 2) return () => "";
  const names = new Map(instances.map(({ id, host }) => [id, clean(host)]));
  return (instance) => names.get(instance) ?? instance.slice(0, 8);
}

function emptyLine(sources: readonly SourceInfo[], isPart: boolean): string {
  const isSure = sources.every(({ status }) => status === "ok" || status === "absent");
  if (!isSure) return "No terminals are known.";
  return isPart ? "There are no terminals there." : "There are no terminals.";
}
