import { join } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../../processes/types.ts";
import { Backoff } from "../../sources/backoff.ts";
import { optional } from "../../sources/optional.ts";
import { ReadingSchedule } from "../../sources/schedule.ts";
import type { Fault, Finding, Reading } from "../../sources/source.ts";
import { type Unwatch, watchFolder } from "../../sources/watch.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import type { ObservedRun } from "../run.ts";
import { listStateFiles, pidOfName } from "./list.ts";
import type { LivePids } from "./pids.ts";
import { StateFiles } from "./state-files.ts";

/** How long after the first of several changes files are read, in milliseconds. A state file is emptied and written
 * anew, which is two changes or three within one millisecond; one that is written in a loop is read this often. */
const BURST_MS = 4;

/** How long a folder may take to be read before it counts as failing, in milliseconds. */
const LATE_MS = 2_000;

const LATE: Fault = { code: "slow", msg: `the folder was not read within ${LATE_MS} ms` };
const CROWDED: Fault = { code: "crowded", msg: "the folder has more files than are looked at" };

export interface ClaudeHomeOptions {
  /** The config home. */
  readonly path: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly pids: LivePids;
  readonly facts: () => ProcessFacts;
  readonly onReading: (reading: Reading<ObservedRun>) => void;
}

/** One config home of Claude Code: watches its state files, `sessions/<pid>.json`, and says which runs they are of. */
export class ClaudeHome {
  readonly path: string;
  readonly #options: ClaudeHomeOptions;
  readonly #folder: string;
  readonly #files: StateFiles;
  readonly #schedule: ReadingSchedule;
  readonly #backoff: Backoff;
  #unwatch: Unwatch | undefined;
  #watchFault: Fault | undefined;
  /** Whose files have changed and are to be read. */
  #changed = new Set<number>();
  #changesDue: Cancel | undefined;
  /** What the last listing came to, and when it began. Absent as long as there was none. */
  #listed: { readonly at: number; readonly outcome: Outcome } | undefined;
  #lateDue: Cancel | undefined;
  /** The listing that is under way has taken too long. */
  #isLate = false;
  /** Changes were not looked at, for want of something to read processes with. */
  #missed = false;
  #stopped = false;

  constructor(options: ClaudeHomeOptions) {
    const { path, clock, table, facts } = options;
    this.path = path;
    this.#options = options;
    this.#folder = join(path, "sessions");
    this.#files = new StateFiles({
      folder: this.#folder,
      configDir: path,
      clock,
      table,
      facts,
      changed: () => this.#state(),
    });
    this.#backoff = new Backoff(clock);
    this.#schedule = new ReadingSchedule(clock, () => this.#list());
    options.onReading({ name: path, at: clock.now(), finding: { kind: "starting" } });
    this.#watch();
  }

  get hasRuns(): boolean {
    return this.#files.runs().length > 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch?.();
    this.#changesDue?.();
    this.#lateDue?.();
    this.#schedule.stop();
    this.#files.stop();
  }

  /** Resolves once the folder was read by a reading that began after the call. One that does not answer is not
   * waited for again. */
  async read(): Promise<void> {
    if (!this.#isLate) await this.#schedule.fresh();
  }

  tick(): void {
    if (this.#files.look()) this.#state();
    if (this.#unwatch === undefined && !this.#backoff.isPausing) this.#watch();
    const isFailing = this.#listed?.outcome.kind === "failing";
    if (this.#watchFault !== undefined || isFailing || this.#missed) this.#schedule.wake();
  }

  see(snapshot: ProcessSnapshot): void {
    if (this.#files.look(snapshot)) this.#state();
    // Such a table knows a process from a sweep on, and then its file has been there for some time.
    if (this.#options.table.kind === "ps") this.#schedule.wake();
  }

  #watch(): void {
    this.#unwatch = watchFolder(this.#folder, {
      changed: (name) => {
        this.#watchFault = undefined;
        this.#backoff.reset();
        const pid = name === undefined ? undefined : pidOfName(name);
        if (name === undefined) this.#schedule.wake();
        if (pid !== undefined) this.#fileChanged(pid);
      },
      lost: (error) => {
        this.#unwatch?.();
        this.#unwatch = undefined;
        this.#backoff.failed();
        const msg = `the folder is read every second, for want of a watch: ${error.message}`;
        this.#watchFault = { code: "polling", msg };
        this.#schedule.wake();
      },
    });
  }

  #fileChanged(pid: number): void {
    this.#changed.add(pid);
    this.#changesDue ??= this.#options.clock.schedule(BURST_MS, () => {
      this.#changesDue = undefined;
      const pids = [...this.#changed];
      this.#changed.clear();
      const unknown = pids.filter((pid) => !this.#files.has(pid));
      const known = pids.filter((pid) => this.#files.has(pid));
      for (const pid of [...known, ...this.#living(unknown)]) void this.#files.read(pid);
    });
  }

  #living(pids: readonly number[]): number[] {
    try {
      return this.#options.pids.among(pids);
    } catch {
      this.#missed = true;
      return [];
    }
  }

  async #list(): Promise<void> {
    const { clock } = this.#options;
    const at = clock.now();
    const began = clock.monotonic();
    this.#lateDue = clock.schedule(LATE_MS, () => {
      this.#isLate = true;
      this.#listed = { at, outcome: { kind: "failing", fault: LATE } };
      this.#state();
    });
    const outcome = await this.#listNow();
    this.#lateDue();
    if (this.#stopped) return;
    this.#isLate = false;
    this.#listed = { at, outcome };
    this.#state(clock.monotonic() - began);
  }

  async #listNow(): Promise<Outcome> {
    const listing = await listStateFiles(this.#folder);
    if (listing.kind === "failing") return listing;
    if (listing.kind === "missing") {
      this.#files.forget();
      return { kind: "absent" };
    }
    this.#missed = false;
    // Those that are known and not listed as well: one may have come since, and one that has gone says so.
    const pids = new Set([...this.#files.pids, ...this.#living(listing.pids)]);
    await Promise.all([...pids].map((pid) => this.#files.read(pid)));
    return { kind: "rows", ...optional("limited", listing.isWhole ? undefined : CROWDED) };
  }

  /** States what is known as of the last listing; `ms` is how long that took, where it is new. */
  #state(ms?: number): void {
    if (this.#stopped || this.#listed === undefined) return;
    const { at, outcome } = this.#listed;
    const finding = this.#finding(outcome);
    this.#options.onReading({ name: this.path, at, finding, ...optional("ms", ms) });
  }

  #finding(outcome: Outcome): Finding<ObservedRun> {
    if (outcome.kind === "absent") return outcome;
    // Of a folder that cannot be read the runs are known that were there, as long as their processes live.
    const items = this.#files.runs();
    if (outcome.kind === "failing") return { ...outcome, items };
    const limited = this.#watchFault ?? outcome.limited;
    return { kind: "rows", items, ...optional("limited", limited) };
  }
}

/** What a listing came to. */
type Outcome =
  | { readonly kind: "rows"; readonly limited?: Fault }
  | { readonly kind: "failing"; readonly fault: Fault }
  | { readonly kind: "absent" };
