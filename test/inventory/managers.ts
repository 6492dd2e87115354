import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ObservedTerminal, TerminalSource } from "../../src/inventory/terminal.ts";
import { ProcessFacts } from "../../src/processes/facts.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import type { ProcessTable } from "../../src/processes/types.ts";
import { SourceHealth } from "../../src/sources/health.ts";
import type { Reading } from "../../src/sources/source.ts";
import { systemClock } from "../../src/time/clock.ts";
import { temporaryFolder, until } from "./unit/support.ts";

/** What a source says, folded as the observation folds it. Whoever waits is asked after every reading. */
export class Listener {
  readonly readings: Reading<ObservedTerminal>[] = [];
  readonly #source: TerminalSource;
  readonly #health = new SourceHealth<ObservedTerminal>(({ id }) => id);
  #waiting: (() => void)[] = [];

  constructor(source: TerminalSource) {
    this.#source = source;
    source.start((reading) => {
      this.readings.push(reading);
      this.#health.take(source.scheme, reading);
      for (const look of this.#waiting.splice(0)) look();
    });
    onTestFinished(() => source.stop());
  }

  get rows(): ObservedTerminal[] {
    return this.#health.items();
  }

  get last(): Reading<ObservedTerminal> | undefined {
    return this.readings.at(-1);
  }

  /** How each place stands, without when. */
  get places() {
    return this.#health
      .sources(undefined)
      .map(({ name, status, error }) => ({ name, status, code: error?.code }));
  }

  row(id: string): ObservedTerminal | undefined {
    return this.rows.find((row) => row.id === id);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Shows the source the processes of this host again and again until it is so. */
  async sees(isSo: () => boolean): Promise<void> {
    const table = tableOfTest();
    const facts = new ProcessFacts(table, systemClock);
    while (!isSo()) {
      const snapshot = await table.sweep();
      await facts.refresh(snapshot);
      this.#source.see?.(snapshot, facts);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** The processes of this host. */
export function tableOfTest(): ProcessTable {
  const table = createProcessTable({ clock: systemClock });
  onTestFinished(() => table.close());
  return table;
}

/** A program of that name in a folder of its own, for a `PATH`. */
export function programNamed(name: string, script: string): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, path };
}

export { temporaryFolder, until };
