import { onTestFinished } from "vitest";
import type { AgentSource, ObservedRun } from "../../src/agents/run.ts";
import { ProcessFacts } from "../../src/processes/facts.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { createSnapshot } from "../../src/processes/snapshot.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../../src/processes/types.ts";
import type { Finding, Reading } from "../../src/sources/source.ts";
import { type Clock, systemClock } from "../../src/time/clock.ts";
import { FakeClock } from "../lib/fake-clock.ts";
import { FakeTable } from "../lib/fake-table.ts";

/** What a source says, and a hand to show it the processes. */
class Watched {
  readonly readings: Reading<ObservedRun>[] = [];
  readonly #source: AgentSource;
  readonly #table: ProcessTable;
  readonly #facts: ProcessFacts;
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  constructor(source: AgentSource, table: ProcessTable, clock: Clock) {
    this.#source = source;
    this.#table = table;
    this.#facts = new ProcessFacts(table, clock);
    this.start();
    onTestFinished(() => source.stop());
  }

  start(): void {
    this.#source.start((reading) => {
      this.readings.push(reading);
      for (const one of this.#waiting) if (one.holds()) one.resolve();
      this.#waiting = this.#waiting.filter(({ holds }) => !holds());
    });
  }

  /** Reads the processes and shows them. */
  async see(): Promise<void> {
    const snapshot = await this.#table.sweep();
    await this.#facts.refresh(snapshot);
    this.#source.see?.(snapshot, this.#facts);
  }

  /** The same, and has all of them looked at, for which one look may have no time on a busy host. */
  async look(): Promise<void> {
    await this.see();
    await this.#source.read();
  }

  get finding(): Finding<ObservedRun> | undefined {
    return this.readings.at(-1)?.finding;
  }

  /** The runs that were stated last. */
  get runs(): readonly ObservedRun[] {
    const { finding } = this;
    if (finding?.kind === "rows") return finding.items;
    return finding?.kind === "failing" ? (finding.items ?? []) : [];
  }

  get pids(): number[] {
    return this.runs.map(({ pid }) => pid).sort((a, b) => a - b);
  }

  get fault(): { code: string; msg: string } | undefined {
    const { finding } = this;
    if (finding?.kind === "failing") return finding.fault;
    return finding?.kind === "rows" ? finding.limited : undefined;
  }

  run(pid: number): ObservedRun | undefined {
    return this.runs.find((run) => run.pid === pid);
  }

  /** Resolves as soon as it holds; it is asked after every reading. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ holds, resolve }));
  }
}

/** Lets the source have its look at the processes, one after the other where the host is busy, until it holds. */
export async function ticking(source: AgentSource, holds: () => boolean): Promise<void> {
  for (source.tick(); !holds(); source.tick()) await new Promise((turn) => setImmediate(turn));
}

/** A source on the processes of a made-up host, in held time. */
export function onFakeHost<Source extends AgentSource>(
  make: (host: { clock: FakeClock; table: FakeTable }) => Source,
) {
  const clock = new FakeClock();
  const table = new FakeTable();
  const source = make({ clock, table });
  return { clock, table, source, watched: new Watched(source, table, clock) };
}

/** A source on the processes of this host. With `home` it sees those alone that have this HOME, whatever else runs
 * here. */
export function onThisHost<Source extends AgentSource>(
  make: (host: { clock: Clock; table: ProcessTable }) => Source,
  home?: string,
) {
  const whole = createProcessTable({ clock: systemClock });
  onTestFinished(() => whole.close());
  const table = home === undefined ? whole : { ...whole, sweep: () => sweepHome(whole, home) };
  const source = make({ clock: systemClock, table });
  return { table, source, watched: new Watched(source, table, systemClock) };
}

async function sweepHome(table: ProcessTable, home: string): Promise<ProcessSnapshot> {
  const { takenAt, all } = await table.sweep();
  const isOurs = ({ pid }: ProcessInfo) => table.environment(pid)?.get("HOME") === home;
  return createSnapshot(takenAt, [...all()].filter(isOurs));
}
