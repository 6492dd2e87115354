import type { ExplainedProcess, ExplainedTerminal, Explanation } from "../inventory/explain.ts";
import type { ProcessKey } from "../processes/types.ts";
import { processName } from "./agent-name.ts";
import { belonging } from "./belonging.ts";
import { type Contradiction, contradictionDocument } from "./contradiction.ts";
import { isInFront, RULE_NUMBERS, ruleText } from "./rule-text.ts";
import { sidsOf } from "./sections.ts";

/** How the row of one terminal came to be, and what the sources say that it rests on. */
export interface Answer {
  readonly terminal: ExplainedTerminal;
  readonly sources: Explanation["sources"];
  readonly agentSources: Explanation["agentSources"];
  /** When a process began, in epoch milliseconds. `undefined` where it has ended meanwhile. */
  readonly startedAt: (process: ProcessKey) => number | undefined;
  /** What the running publisher states otherwise. Absent where it does not, and where none was heard. */
  readonly contradiction?: Contradiction;
}

/** The answer for programs, in the words of the topics where they have one. */
export function explanationDocument(answer: Answer): object {
  const { terminal, sources, agentSources, contradiction } = answer;
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
    ...(contradiction === undefined ? {} : { publisher: contradictionDocument(contradiction) }),
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
