import type { TerminalInfo } from "../contract/terminals.ts";
import type { ProcessKey, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import type { ProcessFacts } from "./facts.ts";
import { type ProcessPart, processPart, rowOf } from "./row.ts";
import type { ObservedTerminal } from "./source.ts";

/** A row that was made first less than this ago is to be read again after that, both in milliseconds: its
 * process may be between being started and running what it was started for. */
const YOUNG_MS = 50;
const READ_AGAIN_MS = 100;

/** The same for a row whose process has certainly not come that far. */
const COPY_MS = 200;
const COPY_READ_AGAIN_MS = 5;

interface MadePart extends ProcessPart {
  readonly rootPid: number | undefined;
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
      const { id, rootPid } = terminal;
      const last = this.#parts.get(id);
      const same = last !== undefined && last.rootPid === rootPid ? last : undefined;
      const madeAt = same?.madeAt ?? this.#clock.monotonic();
      const part =
        same !== undefined && holds(same)
          ? same
          : { ...afterlife(processPart(terminal, context), last), rootPid, madeAt };
      parts.set(id, part);
      return rowOf(this.#instance, terminal, part);
    });
    // Kept only now: where processes cannot be read, what was known before is still.
    this.#parts = parts;
    return rows;
  }
}

/** Where a terminal's process has ended, its row goes on to say what ran there, without the pid. */
function afterlife(part: ProcessPart, last: ProcessPart | undefined): ProcessPart {
  if (part.root !== undefined || last === undefined) return part;
  const { command, cwd } = last.fields;
  return { ...part, fields: { command, ...(cwd === undefined ? {} : { cwd }) } };
}
