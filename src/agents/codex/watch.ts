import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../../processes/types.ts";
import { optional } from "../../sources/optional.ts";
import { ReadingSchedule } from "../../sources/schedule.ts";
import type { Fault, Finding, Reading } from "../../sources/source.ts";
import type { Clock } from "../../time/clock.ts";
import { within } from "../../time/within.ts";
import { readingBy, tableFault } from "../reading.ts";
import type { ObservedRun } from "../run.ts";
import { Turns } from "../turns.ts";
import { findCodex } from "./find.ts";
import { HomeWatch } from "./homes.ts";
import { Origins } from "./origins.ts";
import { CodexRun, type LookContext } from "./run.ts";

/** How long a reading waits for the records of threads, in milliseconds. */
const RECORDS_MS = 1_000;

export interface CodexWatchOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly onReading: (reading: Reading<ObservedRun>) => void;
}

/** Keeps what is known of the runs of Codex up to date, until it is stopped. */
export class CodexWatch {
  readonly #context: LookContext;
  readonly #onReading: (reading: Reading<ObservedRun>) => void;
  readonly #origins = new Origins(() => this.#learned());
  readonly #homes = new HomeWatch(() => this.#threadsChanged());
  readonly #schedule: ReadingSchedule;
  readonly #turns: Turns<CodexRun>;
  #runs = new Map<string, CodexRun>();
  /** How many processes of Codex do not let themselves be read. */
  #hidden = 0;
  /** Whether the processes were seen at all: before that nothing can be said. */
  #hasSeen = false;
  #stopped = false;

  constructor({ clock, table, onReading }: CodexWatchOptions) {
    this.#context = { clock, table, origins: this.#origins };
    this.#onReading = onReading;
    this.#schedule = new ReadingSchedule(clock, () => this.#readAll());
    this.#turns = new Turns(clock);
  }

  stop(): void {
    this.#stopped = true;
    this.#schedule.stop();
    this.#homes.stop();
  }

  async read(): Promise<void> {
    if (!this.#hasSeen) return;
    await this.#schedule.fresh();
    await within(this.#context.clock, RECORDS_MS, this.#origins.settled());
  }

  tick(): void {
    this.#state(() => this.#lookAt(this.#runs.values()));
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#state(() => {
      this.#find(snapshot, facts);
      this.#hasSeen = true;
      const runs = [...this.#runs.values()];
      // The others are looked at once a second, and when the locks of their home change.
      this.#lookAt(runs.filter(({ isUnsettled }) => isUnsettled));
      this.#origins.keep(new Set(runs.flatMap(({ rollouts }) => rollouts)));
      this.#homes.watch(new Set(runs.map(({ home }) => home)));
    });
  }

  #find(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    const { processes, hidden } = findCodex({ ...this.#context, snapshot, facts });
    const runs = new Map<string, CodexRun>();
    for (const process of processes) {
      const run = new CodexRun(process);
      const known = this.#runs.get(run.id);
      known?.found(process);
      runs.set(run.id, known ?? run);
    }
    this.#runs = runs;
    this.#hidden = hidden;
  }

  /** A lock is announced before its process has it in its hands, so there is one more look. */
  #threadsChanged(): void {
    this.#schedule.wake();
    this.#schedule.wake();
  }

  #learned(): void {
    this.#state(() => {
      for (const run of this.#runs.values()) run.choose(this.#context);
    });
  }

  async #readAll(): Promise<void> {
    const begun = this.#turns.count;
    let isDone = false;
    const lookOn = () => {
      isDone = this.#lookAt(this.#runs.values(), begun);
    };
    while (this.#state(lookOn) && !isDone) await new Promise((resolve) => setImmediate(resolve));
  }

  #lookAt(runs: Iterable<CodexRun>, before?: number): boolean {
    const look = (run: CodexRun) => {
      if (!run.look(this.#context)) this.#runs.delete(run.id);
    };
    return this.#turns.take(runs, look, before);
  }

  /** States what is known after the work. Answers whether that could be done. */
  #state(work: () => void): boolean {
    if (this.#stopped) return false;
    const reading = readingBy(this.#context.clock, () => {
      work();
      return this.#finding();
    });
    const isFailing = reading.finding.kind === "failing";
    if (this.#hasSeen || isFailing) this.#onReading(reading);
    return !isFailing;
  }

  #finding(): Finding<ObservedRun> {
    const runs = [...this.#runs.values()];
    const unreadable = this.#hidden + runs.filter(({ isReadable }) => !isReadable).length;
    if (unreadable === 0 && runs.length === 0) return { kind: "absent" };
    const fault = unreadable === 0 ? undefined : tableFault(this.#context.table);
    if (fault !== undefined && runs.length === 0) return { kind: "failing", fault, items: [] };
    const items = runs.flatMap((run) => run.observed() ?? []);
    const limited = fault ?? hiddenFault(unreadable);
    return { kind: "rows", items, ...optional("limited", limited) };
  }
}

/** How the rows fall short where that many processes cannot be read. */
function hiddenFault(unreadable: number): Fault | undefined {
  if (unreadable === 0) return undefined;
  const why = "they are another user's, or closed to everybody as Codex 0.43 to 0.79 is";
  return { code: "processes_hidden", msg: `${unreadable} of Codex cannot be read: ${why}` };
}
