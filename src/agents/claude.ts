import { resolve } from "node:path";
import { ProcessFacts } from "../processes/facts.ts";
import type { ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import { RestartedSource } from "../sources/restarted-source.ts";
import type { Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { ClaudeHome } from "./claude/home.ts";
import { defaultHome, homesInUse, realPath } from "./claude/homes.ts";
import { LivePids } from "./claude/pids.ts";
import type { AgentSource, ObservedRun } from "./run.ts";

/** How many config homes are read. People have one or two; a program that starts an agent in a new one each time
 * must not make us watch them all. Those beyond are left out until others end. */
const MAX_HOMES = 64;

/** How long a reading is waited for, in milliseconds. What takes longer follows when it has come. */
const READ_MS = 2_000;

export interface ClaudeSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** Config homes to read beside `~/.claude` and those that processes use. */
  readonly homes?: readonly string[];
}

/** The runs of Claude Code, by the state files that they keep. Each config home is a place of its own. */
export class ClaudeSource extends RestartedSource<ObservedRun, Run> implements AgentSource {
  readonly scheme = "claude";
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #homes: readonly string[];

  constructor({ clock, table, homes = [] }: ClaudeSourceOptions) {
    super();
    this.#clock = clock;
    this.#table = table;
    const always = [defaultHome() ?? [], ...homes].flat();
    this.#homes = [...new Set(always.map((home) => resolve(home)))];
  }

  protected begin(onReading: (reading: Reading<ObservedRun>) => void): Run {
    return new Run(this.#clock, this.#table, this.#homes, onReading);
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.run?.see(snapshot, facts);
  }
}

/** What the source holds from one start to the next stop. */
class Run {
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  readonly #pids: LivePids;
  readonly #onReading: (reading: Reading<ObservedRun>) => void;
  /** What processes are asked through; its own until those of the observation have come. */
  #facts: ProcessFacts;
  readonly #startedAt: number;
  readonly #always: readonly string[];
  #used: ReadonlySet<string> = new Set();
  /** Where the paths of homes lead, links resolved. */
  readonly #leads = new Map<string, string>();
  readonly #resolving = new Map<string, Promise<void>>();
  /** By where they are, links resolved. */
  readonly #homes = new Map<string, ClaudeHome>();
  #stopped = false;

  constructor(
    clock: Clock,
    table: ProcessTable,
    always: readonly string[],
    onReading: (reading: Reading<ObservedRun>) => void,
  ) {
    this.#clock = clock;
    this.#table = table;
    this.#pids = new LivePids(table);
    this.#facts = new ProcessFacts(table, clock);
    this.#startedAt = clock.monotonic();
    this.#always = always;
    this.#onReading = onReading;
    this.#settle();
  }

  stop(): void {
    this.#stopped = true;
    for (const home of this.#homes.values()) home.stop();
  }

  read(): Promise<void> {
    return within(this.#clock, READ_MS, this.#readAll());
  }

  tick(): void {
    for (const home of this.#homes.values()) home.tick();
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    this.#facts = facts;
    this.#pids.see(snapshot);
    for (const home of this.#homes.values()) home.see(snapshot);
    this.#used = homesInUse(snapshot, facts);
    this.#settle();
  }

  async #readAll(): Promise<void> {
    const known = new Set(this.#homes.values());
    const readNew = async () => {
      await Promise.all(this.#wanted().map((path) => this.#resolve(path)));
      const opened = [...this.#homes.values()].filter((home) => !known.has(home));
      await Promise.all(opened.map((home) => home.read()));
    };
    await Promise.all([readNew(), ...[...known].map((home) => home.read())]);
  }

  /** The paths of all homes that are to be read. Where there are too many, those that are read already stay. */
  #wanted(): string[] {
    const used = [...this.#used];
    const known = used.filter((path) => this.#leads.has(path));
    const wanted = new Set([...this.#always, ...known, ...used]);
    return [...wanted].slice(0, Math.max(MAX_HOMES, this.#always.length));
  }

  /** Looks again where a path leads. */
  #resolve(path: string): Promise<void> {
    const underWay = this.#resolving.get(path);
    if (underWay !== undefined) return underWay;
    const resolving = realPath(path).then((lead) => {
      this.#resolving.delete(path);
      if (this.#stopped) return;
      this.#leads.set(path, lead);
      this.#settle();
    });
    this.#resolving.set(path, resolving);
    return resolving;
  }

  /** Opens the homes that are wanted and not yet open, and ends those that are wanted no longer. */
  #settle(): void {
    const wanted = this.#wanted();
    for (const path of this.#leads.keys()) if (!wanted.includes(path)) this.#leads.delete(path);
    const paths = new Map<string, string>();
    let isAllKnown = true;
    let isInOrder = true;
    for (const path of wanted) {
      const lead = this.#leads.get(path);
      // A home is called by the first path that leads there, so at the beginning the first is waited for.
      if (lead !== undefined && isInOrder && !paths.has(lead)) paths.set(lead, path);
      if (lead !== undefined) continue;
      isAllKnown = false;
      isInOrder = this.#clock.monotonic() - this.#startedAt >= READ_MS;
      void this.#resolve(path);
    }
    for (const [lead, home] of this.#homes) {
      const isElsewhere = (this.#leads.get(home.path) ?? lead) !== lead;
      // One whose runs live stays, though its processes were not recognised or now tell of no home.
      const isUnused = isAllKnown && !paths.has(lead) && !home.hasRuns;
      if (isElsewhere || isUnused) this.#close(lead, home);
    }
    for (const [lead, path] of paths) if (!this.#homes.has(lead)) this.#open(lead, path);
  }

  #open(lead: string, path: string): void {
    const home = new ClaudeHome({
      path,
      clock: this.#clock,
      table: this.#table,
      pids: this.#pids,
      facts: () => this.#facts,
      onReading: this.#onReading,
    });
    this.#homes.set(lead, home);
  }

  #close(lead: string, home: ClaudeHome): void {
    home.stop();
    this.#homes.delete(lead);
    this.#onReading({ name: home.path, at: this.#clock.now(), finding: { kind: "gone" } });
  }
}
