import { resolve } from "node:path";
import { HARNESS_COMMANDS } from "../contract/derivations.ts";
import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { type Candidate, runsAmong } from "./candidates.ts";
import { readingBy, tableFault } from "./reading.ts";
import { programIn } from "./recognise.ts";
import type { AgentSource, ObservedRun } from "./run.ts";
import { Turns } from "./turns.ts";

export interface CommandSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** Names of programs, without path. */
  readonly commands: readonly string[];
}

/** What is known of one run. */
interface Known {
  run: ObservedRun;
}

/** Programs that somebody has named as agents: each of their processes is a run, which states no session. */
export class CommandSource implements AgentSource {
  readonly scheme = "command";
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #commands: ReadonlySet<string>;
  readonly #turns: Turns<Known>;
  #onReading: ((reading: Reading<ObservedRun>) => void) | undefined;
  #runs: readonly Known[] = [];

  /** Throws a `RangeError` where one of the commands is a harness that is known by itself: each of its processes
   * would count as a run at once, and no terminal as starting. */
  constructor({ clock, table, commands }: CommandSourceOptions) {
    const harness = HARNESS_COMMANDS.find((name) => commands.includes(name));
    if (harness !== undefined) {
      const known = HARNESS_COMMANDS.join(", ");
      throw new RangeError(`\`commands\` must name none of ${known}, got "${harness}"`);
    }
    this.#clock = clock;
    this.#table = table;
    this.#commands = new Set(commands);
    this.#turns = new Turns(clock);
  }

  start(onReading: (reading: Reading<ObservedRun>) => void): void {
    this.#onReading = onReading;
  }

  stop(): void {
    this.#onReading = undefined;
    this.#runs = [];
  }

  /** What the processes did not show is not known here. */
  async read(): Promise<void> {}

  tick(): void {
    if (this.#runs.length > 0) this.#onReading?.(readingBy(this.#clock, () => this.#lookAgain()));
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#onReading?.(readingBy(this.#clock, () => this.#find(snapshot, facts)));
  }

  #find(snapshot: ProcessSnapshot, facts: ProcessFacts): Finding<ObservedRun> {
    const candidates: Candidate[] = [];
    for (const process of snapshot.all()) {
      const program = programIn(process, facts);
      if (program !== undefined && this.#commands.has(program.name)) {
        candidates.push({ process, program });
      }
    }
    const found = runsAmong(candidates, { snapshot, facts, now: this.#clock.now() });
    const runs = found.flatMap((candidate) => this.#runOf(candidate, facts) ?? []);
    this.#runs = runs.map((run) => ({ run }));
    const fault = found.length > 0 && runs.length === 0 ? tableFault(this.#table) : undefined;
    return fault === undefined ? this.#finding() : { kind: "failing", fault, items: [] };
  }

  #lookAgain(): Finding<ObservedRun> {
    const ended = new Set<Known>();
    this.#turns.take(this.#runs, (known) => {
      const { pid, startTick } = known.run;
      const cwd = this.#table.cwd(pid)?.path ?? known.run.cwd;
      if (this.#table.read(pid)?.startTick !== startTick) ended.add(known);
      else if (cwd !== known.run.cwd) known.run = { ...known.run, cwd };
    });
    this.#runs = this.#runs.filter((known) => !ended.has(known));
    return this.#finding();
  }

  #finding(): Finding<ObservedRun> {
    const items = this.#runs.map(({ run }) => run);
    return items.length === 0 ? { kind: "absent" } : { kind: "rows", items };
  }

  /** `undefined` where it does not let itself be read, or has no home. */
  #runOf({ process }: Candidate, facts: ProcessFacts): ObservedRun | undefined {
    const { pid, startTick } = process;
    const cwd = facts.cwd(process)?.path;
    const home = facts.variable(process, "HOME");
    if (cwd === undefined || !home) return undefined;
    const startedAt = facts.startedAt(process) ?? this.#clock.now();
    return { pid, startTick, cwd, kind: "interactive", startedAt, configDir: resolve(cwd, home) };
  }
}
