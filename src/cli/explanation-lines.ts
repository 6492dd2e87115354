import type { AgentInfo } from "../contract/agents.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { ExplainedProcess } from "../inventory/explain.ts";
import { statusText } from "./agent-columns.ts";
import { processName } from "./agent-name.ts";
import { ago } from "./ago.ts";
import { belonging } from "./belonging.ts";
import { contradictionText } from "./contradiction.ts";
import { timeText } from "./event-line.ts";
import type { Answer } from "./explanation.ts";
import type { Colors } from "./output.ts";
import { type TreeLine, treeOf } from "./process-tree.ts";
import { isInFront, RULE_NUMBERS, ruleText } from "./rule-text.ts";
import { sidsOf, waits } from "./sections.ts";
import { type NoteOptions, placeText, sourceNotes } from "./source-notes.ts";
import { type Column, tableLines } from "./table.ts";
import { commandText, shortened, stateText } from "./terminal-columns.ts";
import { clean, cut } from "./text.ts";

export interface ExplanationOptions extends NoteOptions {
  /** Shown as `~`. */
  readonly home: string;
  /** In cells. Absent: as wide as it takes. */
  readonly width: number | undefined;
  readonly colors: Colors;
}

/** How much of a command is shown where there is no bound by the terminal's width, in cells. */
const COMMAND_CELLS = 120;

/** How deep a tree of processes is drawn: what is further down stands beside that. */
const MAX_DEPTH = 16;

/** In front of what belongs to a heading. */
const INDENT = "  ";

/** The answer for people. */
export function explanationLines(answer: Answer, options: ExplanationOptions): string[] {
  const { terminal, sources, agentSources, contradiction } = answer;
  const { width, colors } = options;
  const { processes } = terminal;
  const runs = processes.filter(({ run }) => run !== undefined);
  const listing = { terminals: [terminal.row], agents: [], sources, agentSources };
  const within = (line: string) => (width === undefined ? line : cut(line, width));
  const blocks = [
    [colors.bold(within(clean(terminal.row.id))), ...facts(rowFacts(answer, options)).map(within)],
    ["stated by", ...facts(sourceFacts(answer, options))].map(within),
    ["about", ...facts(ruleFacts(answer, options))].map(within),
    processes.length === 0
      ? []
      : [within(`processes (${processes.length})`), ...processLines(answer, options)],
    ...runs.map((process) => runLines(process, options).map(within)),
    partLines(answer).map(within),
    sourceNotes(listing, options).map(within).map(colors.yellow),
    // What matters in it is its end, so it is for the terminal to break it.
    contradiction === undefined ? [] : [colors.yellow(contradictionText(contradiction))],
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

type Fact = readonly [what: string, text: string | undefined];

/** A line for each fact that is known. */
function facts(all: readonly Fact[]): string[] {
  const known = all.filter(([, text]) => text !== undefined && text !== "");
  const width = Math.max(...known.map(([what]) => what.length));
  return known.map(([what, text]) => `${INDENT}${what.padEnd(width)}  ${text}`);
}

function rowFacts({ terminal }: Answer, { home }: ExplanationOptions): Fact[] {
  const { row } = terminal;
  const { section, agents } = belonging(terminal);
  const sids = sidsOf(agents);
  const whose = sids.length === 0 ? section : `${section} to ${sids.join(", ")}`;
  return [
    ["name", row.name && clean(row.name)],
    ["title", row.title && clean(row.title)],
    ["tty", row.tty],
    ["state", stateText(row)],
    ["whose", whose],
    ["command", commandText(row)],
    ["cwd", row.cwd && clean(shortened(row.cwd, home))],
    ["in front", row.foreground && clean(row.foreground)],
  ];
}

function sourceFacts({ terminal }: Answer, { now }: ExplanationOptions): Fact[] {
  const { place, observed } = terminal;
  const { rootPid, endedPid } = observed;
  const began = rootPid === undefined ? undefined : `process ${rootPid}`;
  const ended = endedPid === undefined ? undefined : `process ${endedPid}, which has ended`;
  return [
    ["source", place === undefined ? "one that is gone" : placeText(place)],
    ["stands", place && standsText(place, now)],
    ["its state", clean(observed.state)],
    ["it started", began ?? ended ?? "a process that it does not name"],
  ];
}

/** How a source stands, and when it was read last. */
function standsText({ status, since_at, polled_at, error }: SourceInfo, now: number): string {
  const since = status === "ok" ? "" : ` for ${ago(since_at, now)}`;
  const read =
    polled_at === undefined
      ? "never read"
      : `read at ${timeText(new Date(polled_at))}, ${ago(polled_at, now)} ago`;
  const why = error === undefined ? "" : `: ${clean(error.msg)}`;
  return `${status}${since}, ${read}${why}`;
}

function ruleFacts({ terminal, startedAt }: Answer, { now }: ExplanationOptions): Fact[] {
  const { row, rule, processes } = terminal;
  const number = rule === "none" ? "" : `rule ${RULE_NUMBERS[rule]}: `;
  const chosen = processes.find(({ process }) => process.pid === row.pid);
  const began = chosen === undefined ? row.started_at : startedAt(chosen.process);
  const age = began === undefined ? "" : `, for ${ago(began, now)}`;
  return [
    ["process", row.pid === undefined ? "none" : `${row.pid}${age}`],
    ["chosen by", `${number}${ruleText(terminal)}`],
  ];
}

function processLines(answer: Answer, { now, width, colors }: ExplanationOptions): string[] {
  const { terminal, startedAt } = answer;
  const isChosen = ({ process: { pid } }: ExplainedProcess) => pid === terminal.row.pid;
  const columns: Column<TreeLine>[] = [
    { title: "PID", cell: ({ process: { process } }) => String(process.pid) },
    {
      title: "SINCE",
      cell({ process: { process } }) {
        const began = startedAt(process);
        return began === undefined ? "" : ago(began, now);
      },
      leaves: 1,
    },
    // As ps(1) writes it: the kernel's letter, and a plus for the job in front.
    {
      title: "STATE",
      cell: ({ process }) => `${process.process.state}${isInFront(process) ? "+" : ""}`,
      leaves: 2,
    },
    {
      title: "COMMAND",
      cell: ({ process: { argv, process }, depth }) => {
        const command =
          argv.length === 0 ? `[${clean(process.name)}]` : commandText({ command: [...argv] });
        return "  ".repeat(Math.min(depth, MAX_DEPTH)) + cut(command, COMMAND_CELLS);
      },
      least: 16,
      paint: (text, { process }) => (isChosen(process) ? colors.cyan(text) : text),
    },
    { title: "WHAT IT IS", cell: ({ process }) => marks(process, answer).join(", "), least: 20 },
  ];
  const room = width === undefined ? undefined : Math.max(1, width - INDENT.length);
  return tableLines(columns, treeOf(terminal.processes), room, colors).map((line) => INDENT + line);
}

/** What a process was taken for. */
function marks(explained: ExplainedProcess, { terminal }: Answer): string[] {
  const { process, harness, helper, run, runPlace } = explained;
  const { row, rootPid } = terminal;
  return [
    ...(process.pid === row.pid ? ["chosen"] : []),
    ...(process.pid === rootPid ? ["started by the manager"] : []),
    ...(harness === undefined ? [] : [`recognised as ${clean(harness)}`]),
    ...(helper === true ? ["a helper of an agent, no session"] : []),
    ...(run === undefined
      ? []
      : [runPlace === undefined ? "an agent's run" : `an agent's run by ${placeText(runPlace)}`]),
    ...(process.tty !== undefined && process.tty !== row.tty ? [`on ${process.tty}`] : []),
  ];
}

function runLines(process: ExplainedProcess, options: ExplanationOptions): string[] {
  const { run, runPlace } = process;
  if (run === undefined) return [];
  const { now, home } = options;
  return [
    `agent ${run.pid}`,
    ...facts([
      ["source", runPlace === undefined ? "one that is gone" : placeText(runPlace)],
      ["stands", runPlace && standsText(runPlace, now)],
      ["program", processName(process)],
      ["session", run.sid ?? "none yet"],
      ["called", run.name && clean(run.name)],
      ["kind", clean(run.kind)],
      ["status", statusFact(run, now)],
      ["began", `${ago(run.started_at, now)} ago`],
      ["cwd", clean(shortened(run.cwd, home))],
      ["config", clean(shortened(run.config_dir, home))],
    ]),
  ];
}

function statusFact(run: AgentInfo, now: number): string {
  const asked =
    waits(run) && run.waiting_for !== undefined ? `, for ${clean(run.waiting_for)}` : "";
  return `${statusText(run, now)}${asked}`;
}

const PART_REASONS: Readonly<Record<"tool" | "wrapper", string>> = {
  tool: "an agent in it opened it for its tools",
  wrapper: "the program that opened it passes on what this terminal gets",
};

/** Ttys that have no rows of their own because they are a part of it. */
function partLines({ terminal: { folded } }: Answer): string[] {
  if (folded.length === 0) return [];
  return [
    "counted as a part of it",
    ...folded.map(
      ({ tty, leader, why }) => `  ${clean(tty)}  process ${leader}: ${PART_REASONS[why]}`,
    ),
  ];
}
