import { join } from "node:path";
import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../../processes/types.ts";
import { areAlike } from "../../sources/alike.ts";
import type { Cancel, Clock } from "../../time/clock.ts";
import { shareRuns } from "../../time/share-runs.ts";
import type { ObservedRun } from "../run.ts";
import { parseState, type StateDocument } from "./document.ts";
import { limitTo } from "./limit.ts";
import { readStateFile } from "./state-file.ts";
import { isWriter } from "./writer.ts";

/** How many files of one home are read at once. All reading of files of this program shares four threads. */
const FILES_AT_ONCE = 2;

/** How often a file that nothing whole was ever read of is read when it is found half-written. It takes its writer a
 * fraction of a millisecond to go on, and until then the run would be missing. */
const FIRST_READINGS = 3;

/** How long a run stays whose file was taken away while its process lives, in milliseconds. An agent that is left takes its
 * file away and then ends; to state that it runs without a session in between would look like one that starts. */
const LEAVING_MS = 250;

/** The state file of a process that lives. */
interface StateFile {
  readonly pid: number;
  /** Resolves once it was read by a reading that began after the call. */
  readonly refresh: () => Promise<void>;
  /** What it said when it was last whole. */
  document: StateDocument | undefined;
  /** The run that this is of. Absent where it is of none that lives. */
  run: ObservedRun | undefined;
  /** What `run` was made of. */
  judged: StateDocument | undefined;
  /** Ends the time that its run stays without it. Absent while it is there. */
  leaving: Cancel | undefined;
}

export interface StateFilesOptions {
  readonly folder: string;
  /** The home that the folder is in. */
  readonly configDir: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly facts: () => ProcessFacts;
  /** The runs are others than before, or say something else. */
  readonly changed: () => void;
}

/** The state files of one home as far as their processes live, and the runs that they are of. A file that cannot be read
 * leaves its run as it is. */
export class StateFiles {
  readonly #options: StateFilesOptions;
  readonly #files = new Map<number, StateFile>();
  readonly #limited = limitTo(FILES_AT_ONCE);
  #stopped = false;

  constructor(options: StateFilesOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopped = true;
    for (const file of this.#files.values()) file.leaving?.();
  }

  /** In the order of their pids. */
  runs(): ObservedRun[] {
    const runs = [...this.#files.values()].flatMap(({ run }) => run ?? []);
    return runs.sort((a, b) => a.pid - b.pid);
  }

  get pids(): number[] {
    return [...this.#files.keys()];
  }

  has(pid: number): boolean {
    return this.#files.has(pid);
  }

  /** Reads the file of a process. */
  read(pid: number): Promise<void> {
    let file = this.#files.get(pid);
    if (file === undefined) {
      const made: StateFile = {
        pid,
        refresh: shareRuns(() => this.#limited(() => this.#refresh(made))),
        document: undefined,
        run: undefined,
        judged: undefined,
        leaving: undefined,
      };
      file = made;
      this.#files.set(pid, file);
    }
    return file.refresh();
  }

  /** Looks which processes still live. Answers whether any run is another one than before. The file of a process
   * that has ended is forgotten: it is nobody's again. */
  look(snapshot?: ProcessSnapshot): boolean {
    let isNews = false;
    for (const file of this.#files.values()) {
      const { run, judged, document } = file;
      const isSeen = run !== undefined && snapshot?.get(run.pid)?.startTick === run.startTick;
      if (isSeen && judged === document) continue;
      isNews = this.#judge(file) || isNews;
    }
    return isNews;
  }

  /** There are no files any more. */
  forget(): void {
    this.#files.clear();
  }

  async #refresh(file: StateFile): Promise<void> {
    for (let reading = 1; reading <= FIRST_READINGS; reading += 1) {
      if (this.#stopped || !this.#isKnown(file)) return;
      const answer = await readStateFile(join(this.#options.folder, `${file.pid}.json`));
      if (this.#stopped || !this.#isKnown(file)) return;
      if (answer.kind === "missing") return this.#missing(file);
      file.leaving?.();
      file.leaving = undefined;
      const document = answer.kind === "text" ? parseState(answer.text) : "alien";
      if (typeof document === "object") file.document = document;
      if (document !== "torn" || file.document !== undefined) break;
    }
    if (this.#judge(file)) this.#options.changed();
  }

  #missing(file: StateFile): void {
    const isNews = this.#judge(file);
    if (file.run === undefined) {
      this.#files.delete(file.pid);
      if (isNews) this.#options.changed();
      return;
    }
    file.leaving ??= this.#options.clock.schedule(LEAVING_MS, () => {
      if (!this.#isKnown(file)) return;
      this.#files.delete(file.pid);
      this.#options.changed();
    });
  }

  #isKnown(file: StateFile): boolean {
    return this.#files.get(file.pid) === file;
  }

  /** Decides anew which run the file is of. Answers whether that is another one than before. */
  #judge(file: StateFile): boolean {
    const before = file.run;
    try {
      file.run = this.#runOf(file);
    } catch {
      // There is nothing left to read processes with, which says nothing of this one.
      return false;
    }
    file.judged = file.document;
    return file.run !== before;
  }

  #runOf({ pid, document, run, judged }: StateFile): ObservedRun | undefined {
    const { table, facts, configDir } = this.#options;
    const process = table.read(pid);
    if (process === undefined) this.#files.delete(pid);
    if (process === undefined || document?.pid !== pid) return undefined;
    if (run?.startTick === process.startTick && judged === document) return run;
    if (!isWriter(document, process, table, facts())) return undefined;
    const { procStart, ...rest } = document;
    const made: ObservedRun = { ...rest, startTick: process.startTick, configDir };
    return run !== undefined && areAlike(run, made) ? run : made;
  }
}
