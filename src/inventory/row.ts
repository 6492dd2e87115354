import { harnessIn, programIn } from "../agents/recognise.ts";
import { ACTIVITY_STEP_MS, TerminalInfo } from "../contract/terminals.ts";
import { isValid } from "../contract/validation.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { defined } from "../sources/optional.ts";
import { boundedCommand, boundedPath, displayText } from "../sources/text.ts";
import { keptBy } from "./keeper.ts";
import type { RootedTerminal } from "./merge.ts";
import type { Places } from "./places.ts";
import { isCopyOfParent } from "./root.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { type OwnerRule, ownerOf } from "./whose.ts";

/** What rows are made from besides what managers say. */
export interface RowContext {
  readonly table: ProcessTable;
  readonly facts: ProcessFacts;
  readonly snapshot: ProcessSnapshot;
  readonly places: Places;
  /** The directory to state for a process. */
  cwdOf(process: ProcessInfo): string | undefined;
  isRun(process: ProcessInfo): boolean;
  /** Whether a process is on a tty that an agent opened for a tool, whose keys are not the terminal's. */
  isOnToolTty(process: ProcessInfo): boolean;
}

/** What the process table says of a terminal. */
export interface ProcessPart {
  /** The process that the row is about, and why that one. */
  readonly process: ProcessInfo | undefined;
  readonly rule: OwnerRule | undefined;
  readonly root: ProcessInfo | undefined;
  readonly fields: Pick<TerminalInfo, "command"> & Partial<TerminalInfo>;
  /** Whether the root still is a copy of the manager that has not been through exec. */
  readonly isCopy: boolean;
}

/** What was made of a process, and of what. A process that sleeps is the same object in every snapshot. */
interface Remembered {
  readonly rule: OwnerRule;
  readonly root: ProcessInfo;
  readonly argv: readonly string[];
  readonly cwd: string | undefined;
  readonly part: ProcessPart;
}

const remembered = new WeakMap<ProcessInfo, Remembered>();

/** Reads whose terminal it is, and what runs there. The same object as before where nothing of it differs. */
export function processPart({ id, root }: RootedTerminal, context: RowContext): ProcessPart {
  if (root === undefined) {
    return { process: undefined, rule: undefined, root, fields: { command: [] }, isCopy: false };
  }
  const { facts, snapshot, places, cwdOf, isRun, isOnToolTty } = context;
  const inside = places.in(id);
  const { process, rule } = ownerOf({
    root: keptBy(root, facts.argv(root), inside),
    snapshot,
    inside,
    isRun,
    harness: (one) => harnessIn(one, facts),
    isInFront: (one) => one.group === one.foregroundGroup && !isOnToolTty(one),
  });
  const [argv, cwd] = [facts.argv(process), cwdOf(process)];
  const before = remembered.get(process);
  const isSame = before?.root === root && before.rule === rule && before.argv === argv;
  if (isSame && before.cwd === cwd && !before.part.isCopy) return before.part;
  const isCopy = process === root && isCopyOfParent(root, context);
  const fields = defined({
    command: isCopy ? [] : commandOf(process, rule, facts),
    cwd,
    pid: process.pid,
    started_at: facts.startedAt(process),
    start_tick: process.startTick,
    root_pid: root.pid === process.pid ? undefined : root.pid,
  });
  const part = { process, rule, root, isCopy, fields };
  remembered.set(process, { rule, root, argv, cwd, part });
  return part;
}

/** An agent's command is stated as it would have been typed, whatever stands in front of it. */
function commandOf(process: ProcessInfo, rule: OwnerRule, facts: ProcessFacts): string[] {
  const seen =
    harnessIn(process, facts) ?? (rule === "run" ? programIn(process, facts) : undefined);
  return boundedCommand(seen?.command ?? facts.argv(process));
}

/** The row of a terminal: what the process table says of it, and what its manager does. */
export function rowOf(
  instance: string,
  terminal: ObservedTerminal,
  part: ProcessPart,
): TerminalInfo {
  const { command, ...process } = part.fields;
  const { id, state } = terminal;
  const row = { instance, id, state: displayText(state) ?? "unknown", command, ...process };
  return { ...row, ...ofManager(terminal) };
}

/** What the manager says that it started, for a terminal no process of which can be read. */
export function toldByManager({ command, cwd }: ObservedTerminal): ProcessPart["fields"] {
  return { command: boundedCommand(command ?? []), ...defined({ cwd: boundedPath(cwd) }) };
}

/** What its manager says of it, as far as the contract has room for it. */
function ofManager(terminal: ObservedTerminal): Partial<TerminalInfo> {
  const { activityAt } = terminal;
  const stated: Partial<TerminalInfo> = defined({
    tty: terminal.tty,
    name: displayText(terminal.name),
    title: displayText(terminal.title),
    cols: terminal.cols,
    rows: terminal.rows,
    viewers: terminal.viewers,
    bell: terminal.bell,
    activity_at:
      activityAt === undefined ? undefined : activityAt - (activityAt % ACTIVITY_STEP_MS),
    exit_code: terminal.exitCode,
    exit_signal: terminal.exitSignal,
  });
  const fields = Object.keys(stated) as (keyof typeof stated)[];
  for (const field of fields) {
    if (!isValid(TerminalInfo.properties[field], stated[field])) delete stated[field];
  }
  return stated;
}
