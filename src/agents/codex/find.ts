import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../../processes/types.ts";
import type { Clock } from "../../time/clock.ts";
import { type Candidate, runsAmong } from "../candidates.ts";
import { harnessIn } from "../recognise.ts";
import { homeOf, kindOf } from "./invocation.ts";
import type { CodexProcess } from "./run.ts";

export interface FindContext {
  readonly snapshot: ProcessSnapshot;
  readonly facts: ProcessFacts;
  readonly table: ProcessTable;
  readonly clock: Clock;
}

export interface Found {
  /** One for each run. */
  readonly processes: readonly CodexProcess[];
  /** How many more there are that do not let themselves be read. */
  readonly hidden: number;
}

/** The processes that are runs of Codex. */
export function findCodex(context: FindContext): Found {
  const { snapshot, facts, table, clock } = context;
  const candidates: Candidate[] = [];
  for (const process of snapshot.all()) {
    const program = harnessIn(process, facts);
    if (program?.name === "codex") candidates.push({ process, program });
  }
  const processes: CodexProcess[] = [];
  let hidden = 0;
  for (const candidate of runsAmong(candidates, { snapshot, facts, now: clock.now() })) {
    const found = describe(candidate, context);
    const { pid, startTick } = candidate.process;
    if (found !== undefined) processes.push(found);
    else if (table.read(pid)?.startTick === startTick) hidden += 1;
  }
  return { processes, hidden };
}

/** `undefined` where it does not let itself be read, or has ended. */
function describe(
  { process, program }: Candidate,
  { facts, clock }: FindContext,
): CodexProcess | undefined {
  const cwd = facts.cwd(process)?.path;
  const home = cwd === undefined ? undefined : homeOf(process, cwd, facts);
  if (cwd === undefined || home === undefined) return undefined;
  return {
    key: { pid: process.pid, startTick: process.startTick },
    kind: kindOf(program),
    home,
    startedAt: facts.startedAt(process) ?? clock.now(),
    cwd,
  };
}
