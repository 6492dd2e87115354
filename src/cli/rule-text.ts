import type { ExplainedProcess, ExplainedTerminal } from "../inventory/explain.ts";

/** The rules by which a row's process is chosen, as their order counts them. */
export const RULE_NUMBERS = { run: 1, harness: 2, root: 3 } as const;

/** By which rule a row's process was chosen, and why it was that process. */
export function ruleText(terminal: ExplainedTerminal): string {
  const { rule, observed, processes } = terminal;
  switch (rule) {
    case "run": {
      const runs = processes.filter(({ run }) => run !== undefined);
      return `an agent's run, ${among(terminal, runs, "run")}`;
    }
    case "harness": {
      const programs = processes.filter(({ harness }) => harness !== undefined);
      return `the program of an agent of which no run is known, ${among(terminal, programs, "such program")}`;
    }
    case "root":
      return "the process that the terminal's manager started: no agent's run and no program of an agent is in it";
    case "none":
      return observed.rootPid === undefined
        ? "none: its manager names no process that lives"
        : `none: process ${observed.rootPid}, which its manager names, has ended or has another terminal`;
  }
}

/** Why one of several was chosen. One that another of them started is that one's tool, or has it as its launcher; of
 * the rest those of the foreground job go first, then the newest. */
function among(
  terminal: ExplainedTerminal,
  candidates: readonly ExplainedProcess[],
  what: string,
): string {
  const chosen = candidates.find(({ process }) => process.pid === terminal.row.pid);
  if (chosen === undefined || candidates.length === 1) return `the only ${what} in it`;
  const of = `of the ${candidates.length} in it`;
  const startedBy = (process: ExplainedProcess) =>
    candidates.find((other) => isBelow(process, other, terminal));
  const launcher = startedBy(chosen);
  if (launcher !== undefined) {
    return `${of} the one that its launcher, process ${launcher.process.pid}, started`;
  }
  const rest = candidates.filter((process) => startedBy(process) === undefined);
  if (rest.length === 1) return `${of} the one that started the others`;
  return isInFront(chosen) && !rest.every(isInFront)
    ? `${of} the newest in the foreground`
    : `${of} the newest`;
}

function isBelow(
  { process }: ExplainedProcess,
  { process: { pid } }: ExplainedProcess,
  { processes }: ExplainedTerminal,
): boolean {
  const parents = new Map(processes.map((one) => [one.process.pid, one.process.parent]));
  const passed = new Set<number>([process.pid]);
  let above = parents.get(process.pid);
  while (above !== undefined && !passed.has(above)) {
    if (above === pid) return true;
    passed.add(above);
    above = parents.get(above);
  }
  return false;
}

/** Whether a process is of the job that the keys of its terminal go to. */
export const isInFront = ({ process: { group, foregroundGroup } }: ExplainedProcess) =>
  group === foregroundGroup;
