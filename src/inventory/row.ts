import { ACTIVITY_STEP_MS, type TerminalInfo } from "../contract/terminals.ts";
import type { ProcessInfo, ProcessKey, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { ProcessFacts } from "./facts.ts";
import { harnessCommand } from "./harness.ts";
import type { ObservedTerminal } from "./source.ts";
import { boundedCommand, displayText } from "./text.ts";
import { ownerOf } from "./whose.ts";

/** What rows are made from besides what managers say. */
export interface RowContext {
  readonly table: ProcessTable;
  readonly facts: ProcessFacts;
  readonly snapshot: ProcessSnapshot;
  readonly agents: readonly ProcessKey[];
}

/** What the process table says of a terminal. */
export interface ProcessPart {
  /** The process that the row is about. */
  readonly process: ProcessInfo | undefined;
  readonly root: ProcessInfo | undefined;
  readonly fields: Pick<TerminalInfo, "command"> & Partial<TerminalInfo>;
  /** Whether the root still is a copy of the manager that has not been through exec. */
  readonly isCopy: boolean;
}

/** Reads whose terminal it is, and what runs there. */
export function processPart(terminal: ObservedTerminal, context: RowContext): ProcessPart {
  const { facts, snapshot, agents } = context;
  const root = rootOf(terminal, context);
  if (root === undefined)
    return { process: undefined, root, fields: { command: [] }, isCopy: false };
  const owner = ownerOf({
    root,
    snapshot,
    agents,
    argv: (process) => facts.argv(process),
    harness: harnessCommand,
  });
  const { process } = owner;
  const isCopy = process === root && root.name === context.table.read(root.parent)?.name;
  return {
    process,
    root,
    isCopy,
    fields: defined({
      command: isCopy ? [] : boundedCommand(owner.command),
      cwd: facts.cwd(process),
      pid: process.pid,
      started_at: facts.startedAt(process),
      start_tick: process.startTick,
      root_pid: root.pid === process.pid ? undefined : root.pid,
    }),
  };
}

/** The row of a terminal: what the process table says of it, and what its manager does. */
export function rowOf(
  instance: string,
  terminal: ObservedTerminal,
  part: ProcessPart,
): TerminalInfo {
  const { command, ...process } = part.fields;
  const { id, state } = terminal;
  return { instance, id, state, command, ...process, ...ofManager(terminal) };
}

/** The process that the manager started, if it can be believed: one whose controlling terminal is another
 * has its number from another pid name space, or is somebody who got the number later. */
function rootOf(
  { rootPid, tty }: ObservedTerminal,
  { snapshot, table }: RowContext,
): ProcessInfo | undefined {
  if (rootPid === undefined) return undefined;
  const root = snapshot.get(rootPid) ?? table.read(rootPid);
  if (root === undefined || tty === undefined || root.tty === undefined) return root;
  return root.tty === tty ? root : undefined;
}

function ofManager(terminal: ObservedTerminal) {
  const { activityAt } = terminal;
  return defined({
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
}

/** Unknown is left out. */
function defined<T extends object>(fields: T): Defined<T> {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Defined<T>;
}

type Defined<T> = {
  [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field];
} & {
  [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};
