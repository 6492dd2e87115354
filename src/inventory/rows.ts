import { harnessIn } from "../agents/recognise.ts";
import type { ObservedRun } from "../agents/run.ts";
import type { AgentInfo } from "../contract/agents.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessKey, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { areAlike } from "../sources/alike.ts";
import { displayText } from "../sources/text.ts";
import type { Clock } from "../time/clock.ts";
import { AgentRows } from "./agent-rows.ts";
import { FOREGROUND_MS, type FrontJob, jobName, otherJobInFront } from "./front.ts";
import { type Merge, merge, type RootedTerminal } from "./merge.ts";
import { type Places, placesOf, ttySession } from "./places.ts";
import { rootOf } from "./root.ts";
import { type ProcessPart, processPart, type RowContext, rowOf, toldByManager } from "./row.ts";
import type { ObservedTerminal } from "./terminal.ts";

/** A row that was made first less than this ago is to be read again after that, both in milliseconds: its
 * process may be between being started and running what it was started for. */
const YOUNG_MS = 50;
const READ_AGAIN_MS = 100;

/** The same for a row whose process has certainly not come that far. */
const COPY_MS = 200;
const COPY_READ_AGAIN_MS = 5;

/** What sources say, all together. */
export interface Stated {
  readonly terminals: readonly ObservedTerminal[];
  readonly runs: readonly ObservedRun[];
  /** Whether a source states the terminals that this process opens. */
  isManager(process: ProcessInfo, snapshot: ProcessSnapshot): boolean;
}

/** The rows of both topics, made of the same processes. */
export interface MadeRows {
  readonly terminals: readonly TerminalInfo[];
  readonly agents: readonly AgentInfo[];
}

export interface MadePart extends ProcessPart {
  readonly terminal: ObservedTerminal;
  readonly row: TerminalInfo;
  /** When a row of that id and root was made first, in the monotonic clock. */
  readonly madeAt: number;
  /** The job in front, where it is another than that of the row's process. */
  readonly front: FrontJob | undefined;
}

/** What the rows were made of that were made last. */
export interface Making {
  readonly snapshot: ProcessSnapshot;
  readonly places: Places;
  readonly merged: Merge;
  readonly parts: ReadonlyMap<string, MadePart>;
}

export interface RowsOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly facts: ProcessFacts;
  /** The directory to state for a process. */
  cwdOf(process: ProcessInfo): string | undefined;
}

/** Makes rows, and remembers what the process table said for each, so that a change that a manager tells can
 * be stated before the processes have been read again. */
export class Rows {
  readonly #instance: string;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #facts: ProcessFacts;
  readonly #cwdOf: (process: ProcessInfo) => string | undefined;
  readonly #agents: AgentRows;
  #making: Making | undefined;

  constructor(instance: string, { clock, table, facts, cwdOf }: RowsOptions) {
    this.#instance = instance;
    this.#clock = clock;
    this.#table = table;
    this.#facts = facts;
    this.#cwdOf = cwdOf;
    this.#agents = new AgentRows(instance);
  }

  /** How the rows came to be that were made last. Absent before processes were read, without which no row can be
   * made. */
  get making(): Making | undefined {
    return this.#making;
  }

  /** How many milliseconds from now the rows should be read again because one of them is not settled.
   * `undefined` where all are. */
  unsettledFor(): number | undefined {
    const now = this.#clock.monotonic();
    const waits = [...(this.#making?.parts.values() ?? [])].flatMap(({ madeAt, isCopy, front }) => {
      if (isCopy && now - madeAt < COPY_MS) return COPY_READ_AGAIN_MS;
      if (now - madeAt < YOUNG_MS) return READ_AGAIN_MS;
      return front !== undefined && now - front.since < FOREGROUND_MS
        ? front.since + FOREGROUND_MS - now
        : [];
    });
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Rows with the processes as they are in the snapshot. */
  read(stated: Stated, snapshot: ProcessSnapshot): MadeRows {
    return this.#make(stated, snapshot, () => undefined);
  }

  /** Rows with the processes as they were read last; only those of terminals that are new are looked at. */
  restate(stated: Stated): MadeRows {
    const last = this.#making;
    if (last === undefined) return { terminals: [], agents: [] };
    return this.#make(stated, last.snapshot, (terminal) => {
      const part = last.parts.get(terminal.id);
      return part?.terminal.rootPid === terminal.rootPid && !part?.isCopy ? part : undefined;
    });
  }

  /** `held` gives what was made of a terminal before and is to stand; none where everything is read anew. */
  #make(
    stated: Stated,
    snapshot: ProcessSnapshot,
    held: (terminal: ObservedTerminal) => MadePart | undefined,
  ): MadeRows {
    const { terminals, runs, isManager } = stated;
    const [table, facts] = [this.#table, this.#facts];
    const isOld = snapshot === this.#making?.snapshot;
    const isRun = runMatcher(runs);
    const merged = merge(terminals, {
      snapshot,
      rootOf: (terminal) =>
        held(terminal)?.root ?? rootOf(terminal, { table, facts, snapshot, isOld }),
      isManager: (process) => isManager(process, snapshot),
      opensForTools: (process, leader) => isRun(process) || opensForTools(process, leader, facts),
    });
    const places = placesOf(merged, snapshot);
    const context: RowContext = {
      table,
      facts,
      snapshot,
      places,
      cwdOf: this.#cwdOf,
      isRun,
      ...toolTtys(merged),
    };
    const before = this.#making?.parts ?? new Map<string, MadePart>();
    const parts = new Map<string, MadePart>();
    for (const rooted of merged.terminals) {
      const { id, terminal } = rooted;
      const part = held(terminal);
      const made = this.#partOf(rooted, part, before.get(id), context);
      parts.set(id, made);
    }
    const rows = [...parts.values()].map(({ row }) => row);
    const agents = this.#agents.make(runs, (pid) => places.of(pid));
    // Kept only now: where processes cannot be read, what was known before is still.
    this.#making = { snapshot, places, merged, parts };
    return { terminals: rows, agents };
  }

  #partOf(
    rooted: RootedTerminal,
    held: MadePart | undefined,
    last: MadePart | undefined,
    context: RowContext,
  ): MadePart {
    const { terminal, root } = rooted;
    const same = last?.terminal.rootPid === terminal.rootPid ? last : undefined;
    const now = this.#clock.monotonic();
    const part = held ?? afterlife(terminal, processPart(rooted, context), last);
    const { process } = part;
    const group = process && root && otherJobInFront(process, root, context.snapshot);
    const front = held?.front ?? this.#front(group, { last: same, now }, context.snapshot);
    const name =
      front !== undefined && now - front.since >= FOREGROUND_MS && held === undefined
        ? displayText(jobName(front.group, context.snapshot, this.#facts))
        : undefined;
    const fields = name === undefined ? part.fields : { ...part.fields, foreground: name };
    const made = { ...part, fields };
    const isSame =
      last?.terminal === terminal && (last.fields === fields || areAlike(last.fields, fields));
    return {
      ...made,
      terminal,
      front,
      madeAt: same?.madeAt ?? now,
      // The row that was made last, where it would come out the same.
      row: isSame ? last.row : rowOf(this.#instance, terminal, made),
    };
  }

  /** Of a terminal that is new to us its job may have been in front since it began: nobody has looked before. */
  #front(
    group: number | undefined,
    { last, now }: { last: MadePart | undefined; now: number },
    snapshot: ProcessSnapshot,
  ): FrontJob | undefined {
    if (group === undefined) return undefined;
    if (last?.front?.group === group) return last.front;
    const leader = last === undefined ? snapshot.get(group) : undefined;
    const began = leader && this.#facts.startedAt(leader);
    const age = began === undefined ? 0 : Math.max(0, this.#clock.now() - began);
    return { group, since: now - age };
  }
}

/** Runs are told by pid and start, so that whoever gets the pid later is none. */
function runMatcher(runs: readonly ProcessKey[]): (process: ProcessInfo) => boolean {
  const ticks = new Map(runs.map(({ pid, startTick }) => [pid, startTick]));
  return ({ pid, startTick }) => ticks.get(pid) === startTick;
}

/** A harness opens terminals for its tools, but a launcher (`sudo claude`) may open one for the very harness. */
function opensForTools(process: ProcessInfo, leader: ProcessInfo, facts: ProcessFacts): boolean {
  const harness = harnessIn(process, facts);
  if (harness === undefined) return false;
  return harness.isItself || harnessIn(leader, facts)?.name !== harness.name;
}

function toolTtys({ folded }: Merge): Pick<RowContext, "isOnToolTty"> {
  const tools = folded.filter(({ why }) => why === "tool");
  const sessions = new Set(tools.map(({ leader }) => ttySession(leader)));
  return { isOnToolTty: (process) => sessions.has(ttySession(process) ?? "") };
}

/** What a row says where no process can be read: of one that has ended what ran there, without the pid, but not where
 * that was another process than the one that ended; else what its manager tells. */
function afterlife(
  terminal: ObservedTerminal,
  part: ProcessPart,
  last: MadePart | undefined,
): ProcessPart {
  if (part.root !== undefined) return part;
  const ended = pidOf(terminal);
  const isSame = last !== undefined && (ended === undefined || ended === pidOf(last.terminal));
  if (!isSame || last.fields.command.length === 0) {
    return { ...part, fields: toldByManager(terminal) };
  }
  const { command, cwd } = last.fields;
  return { ...part, fields: { command, ...(cwd === undefined ? {} : { cwd }) } };
}

const pidOf = ({ rootPid, endedPid }: ObservedTerminal) => rootPid ?? endedPid;
