import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessKey, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { areAlike } from "../sources/alike.ts";
import type { Clock } from "../time/clock.ts";
import { type ProcessPart, processPart, rowOf } from "./row.ts";
import type { ObservedTerminal } from "./terminal.ts";

/** A row that was made first less than this ago is to be read again after that, both in milliseconds: its
 * process may be between being started and running what it was started for. */
const YOUNG_MS = 50;
const READ_AGAIN_MS = 100;

/** The same for a row whose process has certainly not come that far. */
const COPY_MS = 200;
const COPY_READ_AGAIN_MS = 5;

interface MadePart extends ProcessPart {
  readonly terminal: ObservedTerminal;
  readonly row: TerminalInfo;
  /** When a row of that id and root was made first, in the monotonic clock. */
  readonly madeAt: number;
}

/** Makes rows, and remembers what the process table said for each, so that a change that a manager tells can
 * be stated before the processes have been read again. */
export class Rows {
  readonly #instance: string;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #facts: ProcessFacts;
  #snapshot: ProcessSnapshot | undefined;
  #parts = new Map<string, MadePart>();

  constructor(
    instance: string,
    { clock, table, facts }: { clock: Clock; table: ProcessTable; facts: ProcessFacts },
  ) {
    this.#instance = instance;
    this.#clock = clock;
    this.#table = table;
    this.#facts = facts;
  }

  /** Whether processes were read at all, without which no row can be made. */
  get isReady(): boolean {
    return this.#snapshot !== undefined;
  }

  /** The parts of the rows that were made last. */
  parts(): Iterable<ProcessPart> {
    return this.#parts.values();
  }

  /** How many milliseconds from now the rows should be read again because one of them is not settled.
   * `undefined` where all are. */
  unsettledFor(): number | undefined {
    const now = this.#clock.monotonic();
    const waits = [...this.#parts.values()].flatMap(({ madeAt, isCopy }) => {
      if (isCopy && now - madeAt < COPY_MS) return COPY_READ_AGAIN_MS;
      return now - madeAt < YOUNG_MS ? READ_AGAIN_MS : [];
    });
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Rows with the processes as they are in the snapshot. */
  read(
    terminals: readonly ObservedTerminal[],
    snapshot: ProcessSnapshot,
    agents: readonly ProcessKey[],
  ): TerminalInfo[] {
    this.#snapshot = snapshot;
    const rows = this.#make(terminals, snapshot, agents, () => false);
    this.#facts.prune();
    return rows;
  }

  /** Rows with the processes as they were read last; only those of terminals that are new are looked at. */
  restate(terminals: readonly ObservedTerminal[], agents: readonly ProcessKey[]): TerminalInfo[] {
    if (this.#snapshot === undefined) return [];
    return this.#make(terminals, this.#snapshot, agents, ({ isCopy }) => !isCopy);
  }

  #make(
    terminals: readonly ObservedTerminal[],
    snapshot: ProcessSnapshot,
    agents: readonly ProcessKey[],
    holds: (part: MadePart) => boolean,
  ): TerminalInfo[] {
    const parts = new Map<string, MadePart>();
    const ttys = new Set(terminals.flatMap(({ tty }) => tty ?? []));
    const context = { table: this.#table, facts: this.#facts, snapshot, agents, ttys };
    const rows = terminals.map((terminal) => {
      const last = this.#parts.get(terminal.id);
      const same = last?.terminal.rootPid === terminal.rootPid ? last : undefined;
      const part =
        same !== undefined && holds(same)
          ? same
          : afterlife(terminal, processPart(terminal, context), last);
      const madeAt = same?.madeAt ?? this.#clock.monotonic();
      const row = this.#rowOf(terminal, part, last);
      parts.set(terminal.id, { ...part, terminal, row, madeAt });
      return row;
    });
    // Kept only now: where processes cannot be read, what was known before is still.
    this.#parts = parts;
    return rows;
  }

  /** The row that was made last, where it would come out the same. */
  #rowOf(terminal: ObservedTerminal, part: ProcessPart, last: MadePart | undefined): TerminalInfo {
    const isSame = last?.terminal === terminal && areAlike(last.fields, part.fields);
    return isSame ? last.row : rowOf(this.#instance, terminal, part);
  }
}

/** Where a terminal's process has ended, its row goes on to say what ran there, without the pid; but not where
 * that was another process than the one that ended. */
function afterlife(
  terminal: ObservedTerminal,
  part: ProcessPart,
  last: MadePart | undefined,
): ProcessPart {
  if (part.root !== undefined || last === undefined) return part;
  const ended = pidOf(terminal);
  if (ended !== undefined && ended !== pidOf(last.terminal)) return part;
  const { command, cwd } = last.fields;
  return { ...part, fields: { command, ...(cwd === undefined ? {} : { cwd }) } };
}

const pidOf = ({ rootPid, endedPid }: ObservedTerminal) => rootPid ?? endedPid;
