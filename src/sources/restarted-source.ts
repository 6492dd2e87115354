import type { Reading, Source } from "./source.ts";

/** What a source holds from one start to the next stop. */
export interface SourceRun {
  stop(): void;
  read(): Promise<void>;
  tick(): void;
}

/** A source that keeps nothing from a stop to the next start: all that it holds is in a run of its own. */
export abstract class RestartedSource<Item, Run extends SourceRun> implements Source<Item> {
  abstract readonly scheme: string;
  /** Absent while it is stopped. */
  protected run: Run | undefined;

  protected abstract begin(onReading: (reading: Reading<Item>) => void): Run;

  start(onReading: (reading: Reading<Item>) => void): void {
    this.stop();
    this.run = this.begin(onReading);
  }

  stop(): void {
    this.run?.stop();
    this.run = undefined;
  }

  async read(): Promise<void> {
    await this.run?.read();
  }

  tick(): void {
    this.run?.tick();
  }
}
