import { harnessCommand } from "../agents/harness.ts";
import { ACTIVITY_STEP_MS, TerminalInfo } from "../contract/terminals.ts";
import { isValid } from "../contract/validation.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessKey, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { boundedCommand, displayText } from "../sources/text.ts";
import type { ObservedTerminal } from "./terminal.ts";
import { ownerOf } from "./whose.ts";

/** What rows are made from besides what managers say. */
export interface RowContext {
  readonly table: ProcessTable;
  readonly facts: ProcessFacts;
  readonly snapshot: ProcessSnapshot;
  readonly agents: readonly ProcessKey[];
  /** Devices of the terminals that have rows. */
  readonly ttys: ReadonlySet<string>;
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
  const { facts, snapshot, agents, ttys } = context;
  const root = rootOf(terminal, context);
  if (root === undefined)
    return { process: undefined, root, fields: { command: [] }, isCopy: false };
  const owner = ownerOf({
    root,
    snapshot,
    agents,
    ttys,
    argv: (process) => facts.argv(process),
    harness: harnessCommand,
  });
  const { process } = owner;
  const isCopy = process === root && isCopyOfParent(root, context);
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

/** The process that the manager started, if it can be believed: one whose controlling terminal is another, or
 * that has none, has its number from another pid name space, or is somebody who got the number later. */
function rootOf(terminal: ObservedTerminal, context: RowContext): ProcessInfo | undefined {
  const { rootPid, tty } = terminal;
  const { snapshot, table } = context;
  if (rootPid === undefined) return undefined;
  const root = snapshot.get(rootPid) ?? table.read(rootPid);
  if (root === undefined || tty === undefined || root.tty === tty) return root;
  if (root.tty !== undefined) return undefined;
  // Before it has been through exec it may not have its terminal yet, and some kernels tell of none at all.
  return isCopyOfParent(root, context) || !tellsTerminals(snapshot) ? root : undefined;
}

/** Whether a process still is what its parent was when it was forked: of the same name, and of the same
 * arguments or, in the midst of exec, of none. */
function isCopyOfParent(process: ProcessInfo, context: RowContext): boolean {
  const { table, facts, snapshot } = context;
  const parent = snapshot.get(process.parent) ?? table.read(process.parent);
  if (parent === undefined || parent.name !== process.name) return false;
  const argv = facts.argv(process);
  return argv.length === 0 || argv.join("\0") === facts.argv(parent).join("\0");
}

/** gVisor's /proc says of no process which terminal it has. */
function tellsTerminals(snapshot: ProcessSnapshot): boolean {
  for (const { ttyDevice } of snapshot.all()) if (ttyDevice !== 0) return true;
  return false;
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
