import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { CodexWatch } from "./codex/watch.ts";
import type { AgentSource, ObservedRun } from "./run.ts";

export interface CodexSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
}

/** The runs of Codex. It writes no file about itself, so its processes are found among all, and which thread one
 * runs is told by the files that it holds open. */
export class CodexSource extends RestartedSource<ObservedRun, CodexWatch> implements AgentSource {
  readonly scheme = "codex";
  readonly #options: CodexSourceOptions;

  constructor(options: CodexSourceOptions) {
    super();
    this.#options = options;
  }

  protected begin(onReading: (reading: Reading<ObservedRun>) => void): CodexWatch {
    return new CodexWatch({ ...this.#options, onReading });
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.run?.see(snapshot, facts);
  }
}
