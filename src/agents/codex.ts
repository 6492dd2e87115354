import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../processes/types.ts";
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
export class CodexSource implements AgentSource {
  readonly scheme = "codex";
  readonly #options: CodexSourceOptions;
  #watch: CodexWatch | undefined;

  constructor(options: CodexSourceOptions) {
    this.#options = options;
  }

  start(onReading: (reading: Reading<ObservedRun>) => void): void {
    this.stop();
    this.#watch = new CodexWatch({ ...this.#options, onReading });
  }

  stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  async read(): Promise<void> {
    await this.#watch?.read();
  }

  tick(): void {
    this.#watch?.tick();
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#watch?.see(snapshot, facts);
  }
}
