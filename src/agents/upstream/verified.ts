import type { AgentInfo } from "../../contract/agents.ts";
import type {
  ProcessInfo,
  ProcessKey,
  ProcessSnapshot,
  ProcessTable,
} from "../../processes/types.ts";
import { areAlike } from "../../sources/alike.ts";
import { optional } from "../../sources/optional.ts";
import type { Clock } from "../../time/clock.ts";
import type { ObservedRun } from "../run.ts";
import { Turns } from "../turns.ts";

/** More runs of one host than anybody has. What a publisher states beyond is left out. */
const MAX_RUNS = 4_096;

/** How much later than its row says a process may have begun, in milliseconds: the two are told by clocks of their
 * own. One that began later has only the number of the one that is meant. */
const START_SLACK_MS = 2_000;

/** A row, and the process that it is about. */
interface Stated {
  readonly row: AgentInfo;
  /** Absent as long as none was found. Once it was, no other process is ever meant. */
  process?: ProcessKey;
  hasEnded: boolean;
  run?: ObservedRun;
}

/** The rows of another publisher as far as their processes live on this host. */
export class VerifiedRuns {
  readonly #table: ProcessTable;
  readonly #turns: Turns<Stated>;
  #stated = new Map<number, Stated>();
  #snapshot: ProcessSnapshot | undefined;

  constructor(table: ProcessTable, clock: Clock) {
    this.#table = table;
    this.#turns = new Turns(clock);
  }

  /** Takes what is stated now in the place of what was. */
  take(rows: Iterable<AgentInfo>): void {
    const stated = new Map<number, Stated>();
    for (const row of rows) {
      if (stated.size >= MAX_RUNS) break;
      stated.set(row.pid, this.#known(row) ?? { row, hasEnded: false });
    }
    this.#stated = stated;
    const unfound = [...stated.values()].filter((one) => one.process === undefined);
    const read = this.#readAnew(unfound);
    // Of those that there was no time for the last look at all processes says something too.
    for (const one of unfound) {
      if (!read.has(one)) this.#isMeant(one, this.#snapshot?.get(one.row.pid));
    }
  }

  /** The processes of this host were read. */
  see(snapshot: ProcessSnapshot): void {
    this.#snapshot = snapshot;
    const stated = [...this.#stated.values()];
    // One that it does not show may have begun since.
    this.#readAnew(stated.filter((one) => !this.#isMeant(one, snapshot.get(one.row.pid))));
  }

  /** Looks again whether they live. */
  look(): void {
    this.#readAnew([...this.#stated.values()]);
  }

  /** Those that live. */
  runs(): ObservedRun[] {
    return [...this.#stated.values()].flatMap((one) => {
      if (one.hasEnded || one.process === undefined) return [];
      one.run ??= runOf(one.row, one.process);
      return one.run;
    });
  }

  /** Whether the process of a row lives, as it was looked at last. */
  lives(pid: number): boolean {
    const one = this.#stated.get(pid);
    return one?.process !== undefined && !one.hasEnded;
  }

  /** What is known of a row's process, where the row can only mean the same one. */
  #known(row: AgentInfo): Stated | undefined {
    const before = this.#stated.get(row.pid);
    if (before === undefined || before.row === row || areAlike(before.row, row)) return before;
    const { started_at, start_tick } = before.row;
    if (started_at !== row.started_at || start_tick !== row.start_tick) return undefined;
    const { process, hasEnded } = before;
    return { row, hasEnded, ...optional("process", process) };
  }

  /** Reads their processes, as far as there is time, and answers of which; the others are taken to be as they were. */
  #readAnew(stated: readonly Stated[]): ReadonlySet<Stated> {
    const read = new Set<Stated>();
    this.#turns.take(
      stated.filter(({ hasEnded }) => !hasEnded),
      (one) => {
        read.add(one);
        const isLive = this.#isMeant(one, this.#table.read(one.row.pid));
        one.hasEnded = !isLive && one.process !== undefined;
      },
    );
    return read;
  }

  /** Whether this is the process that is meant, which it is from then on. */
  #isMeant(one: Stated, process: ProcessInfo | undefined): boolean {
    if (process === undefined) return false;
    const { pid, startTick } = process;
    if (one.process === undefined && this.#fits(one.row, process)) one.process = { pid, startTick };
    return one.process?.startTick === startTick;
  }

  #fits({ start_tick, started_at }: AgentInfo, process: ProcessInfo): boolean {
    if (start_tick !== undefined) return start_tick === process.startTick;
    const began = this.#table.startedAt(process);
    return began !== undefined && began <= started_at + START_SLACK_MS;
  }
}

function runOf(row: AgentInfo, { pid, startTick }: ProcessKey): ObservedRun {
  return {
    pid,
    startTick,
    cwd: row.cwd,
    kind: row.kind,
    startedAt: row.started_at,
    configDir: row.config_dir,
    ...optional("sid", row.sid),
    ...optional("name", row.name),
    ...optional("status", row.status),
    ...optional("statusAt", row.status_at),
    ...optional("waitingFor", row.waiting_for),
    ...optional("state", row.state),
    ...optional("backgroundId", row.background_id),
  };
}
