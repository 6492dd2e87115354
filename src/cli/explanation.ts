import type { ExplainedProcess, ExplainedTerminal, Explanation } from "../inventory/explain.ts";
import type { ProcessKey } from "../processes/types.ts";
import { processName } from "./agent-name.ts";
import { isInFront, RULE_NUMBERS, ruleText } from "./rule-text.ts";
import { sectionsOf, sidsOf } from "./sections.ts";

/** How the row of one terminal came to be, and what the sources say that it rests on. */
export interface Answer {
  readonly terminal: ExplainedTerminal;
  readonly sources: Explanation["sources"];
  readonly agentSources: Explanation["agentSources"];
  /** When a process began, in epoch milliseconds. `undefined` where it has ended meanwhile. */
  readonly startedAt: (process: ProcessKey) => number | undefined;
}

/** In which section `ls` lists a terminal, and the agents in it. */
export function belonging({ row, processes }: ExplainedTerminal) {
  const runs = processes.flatMap(({ run }) => run ?? []);
  const { starting, attached } = sectionsOf([row], runs);
  const agents = attached[0]?.agents ?? [];
  const section =
    attached.length > 0 ? "attached" : starting.length > 0 ? "starting" : "unattached";
  return { section, agents, runs } as const;
}

/** The answer for programs, in the words of the topics where they have one. */
export function explanationDocument(answer: Answer): object {
  const { terminal, sources, agentSources } = answer;
  const { row, observed, place, processes, rule, rootPid, folded } = terminal;
  const { section, agents } = belonging(terminal);
  return {
    terminal: row,
    section,
    sids: sidsOf(agents),
    rule: {
      name: rule,
      ...(rule === "none" ? {} : { number: RULE_NUMBERS[rule] }),
      why: ruleText(terminal),
    },
    ...(rootPid === undefined ? {} : { root_pid: rootPid }),
    stated: inWireWords(observed),
    ...(place === undefined ? {} : { source: place }),
    processes: processes.map((process) => processDocument(process, answer)),
    folded,
    sources,
    agent_sources: agentSources,
  };
}

function processDocument(explained: ExplainedProcess, { terminal, startedAt }: Answer): object {
  const { process, argv, harness, helper, run, runPlace } = explained;
  const began = startedAt(process);
  return {
    pid: process.pid,
    parent: process.parent,
    start_tick: process.startTick,
    ...(began === undefined ? {} : { started_at: began }),
    state: process.state,
    foreground: isInFront(explained),
    ...(process.tty === undefined ? {} : { tty: process.tty }),
    argv,
    root: process.pid === terminal.rootPid,
    chosen: process.pid === terminal.row.pid,
    ...(harness === undefined ? {} : { harness }),
    ...(helper === undefined ? {} : { helper }),
    ...(run === undefined ? {} : { run, program: processName(explained) }),
    ...(runPlace === undefined ? {} : { run_source: runPlace }),
  };
}

/** The fields of something in snake_case, as all names on the wire are. */
function inWireWords(value: object): object {
  const inSnakeCase = (name: string) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [inSnakeCase(name), part]));
}
