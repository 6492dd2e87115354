import { isHelper } from "../agents/harness.ts";
import { harnessIn, programIn } from "../agents/recognise.ts";
import type { ObservedRun } from "../agents/run.ts";
import type { AgentInfo } from "../contract/agents.ts";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo } from "../processes/types.ts";
import type { SourceHealth } from "../sources/health.ts";
import type { FoldReason } from "./merge.ts";
import type { Standings } from "./observed.ts";
import type { MadePart, Making } from "./rows.ts";
import type { ObservedTerminal } from "./terminal.ts";
import type { OwnerRule } from "./whose.ts";

/** How all rows came to be. */
export interface Explanation {
  readonly terminals: readonly ExplainedTerminal[];
  readonly sources: readonly SourceInfo[];
  readonly agentSources: readonly SourceInfo[];
}

/** How the row of a terminal came to be. */
export interface ExplainedTerminal {
  readonly row: TerminalInfo;
  readonly observed: ObservedTerminal;
  /** The place that stated it, and how that stands. */
  readonly place: SourceInfo | undefined;
  readonly processes: readonly ExplainedProcess[];
  /** By what the row's process was chosen; `none` where there is no process. */
  readonly rule: OwnerRule | "none";
  readonly rootPid?: number;
  /** Ttys that count as a part of it. */
  readonly folded: readonly { tty: string; leader: number; why: FoldReason }[];
}

/** A process in a terminal, and what it was taken for. */
export interface ExplainedProcess {
  readonly process: ProcessInfo;
  readonly argv: readonly string[];
  readonly harness?: string;
  /** Whether it is a harness in a mode that is no session. */
  readonly helper?: boolean;
  readonly run?: AgentInfo;
  readonly runPlace?: SourceInfo;
}

export interface ExplainedWith {
  readonly terminals: SourceHealth<ObservedTerminal>;
  readonly runs: SourceHealth<ObservedRun>;
  readonly standings: Standings;
}

/** What rows were made last, and of what. */
interface Made {
  readonly making: Making | undefined;
  readonly agents: readonly AgentInfo[];
  readonly facts: ProcessFacts;
}

/** Tells how the rows that were made last came to be. */
export function explain(made: Made, { terminals, runs, standings }: ExplainedWith): Explanation {
  const { making } = made;
  return {
    terminals: [...(making?.parts.values() ?? [])].map((part) => {
      const { id } = part.terminal;
      return {
        row: part.row,
        observed: part.terminal,
        place: terminals.placeOf(id),
        processes: (making?.places.in(id) ?? []).map((process) =>
          explainProcess(process, made, runs),
        ),
        rule: part.rule ?? "none",
        ...rootOf(part),
        folded: (making?.merged.folded ?? [])
          .filter(({ into }) => into === id)
          .map(({ tty, leader, why }) => ({ tty, leader: leader.pid, why })),
      };
    }),
    sources: standings.terminals.sources,
    agentSources: standings.agents.sources,
  };
}

function rootOf({ root }: MadePart): { rootPid?: number } {
  return root === undefined ? {} : { rootPid: root.pid };
}

function explainProcess(
  process: ProcessInfo,
  { agents, facts }: Made,
  runs: SourceHealth<ObservedRun>,
): ExplainedProcess {
  const run = agents.find(
    ({ pid, start_tick }) => pid === process.pid && start_tick === process.startTick,
  );
  const place = run && runs.placeOf(run.pid);
  const harness = harnessIn(process, facts);
  const program = programIn(process, facts);
  return {
    process,
    argv: facts.argv(process),
    ...(harness === undefined ? {} : { harness: harness.name }),
    ...(program !== undefined && isHarnessHelper(program) ? { helper: true } : {}),
    ...(run === undefined ? {} : { run }),
    ...(place === undefined ? {} : { runPlace: place }),
  };
}

const HARNESSES: ReadonlySet<string> = new Set(HARNESS_COMMANDS);

const isHarnessHelper = (program: Parameters<typeof isHelper>[0]) =>
  HARNESSES.has(program.name) && isHelper(program);
