import type { ProcessInfo } from "../../processes/types.ts";
import { type Counter, type Counters, countedBefore, counterOf } from "./counters.ts";
import type { Figures } from "./figures.ts";

/** What the processes of one terminal use together. */
export interface Used {
  /** Between the last two samples, in per cent of one core. */
  readonly cpuPercent: number;
  readonly memoryBytes: number;
}

export interface UsageSample {
  /** When measuring began, in the monotonic clock. */
  readonly at: number;
  /** The processes in each terminal, by its id. */
  readonly occupants: ReadonlyMap<string, readonly ProcessInfo[]>;
  /** By pid. */
  readonly figures: ReadonlyMap<number, Figures>;
}

/** Computes what each terminal uses from what its processes had used at one sample and at the next. It keeps no more
 * than one sample. */
export class UsageLedger {
  readonly #maxPercent: number;
  #at = 0;
  #counters: Counters = new Map();
  /** The terminals that the sample knows, those that no process was in among them. */
  #terminals: ReadonlySet<string> = new Set();

  /** `cores`: how many processors there are. No terminal uses more than all of them. */
  constructor(cores: number) {
    this.#maxPercent = cores * 100;
  }

  /** Takes in a sample. Every terminal that a process is in is in the answer, without a value where that is not known: this
   * is the first sample with that terminal, or none of its processes could be measured. */
  take({ at, occupants, figures }: UsageSample): ReadonlyMap<string, Used | undefined> {
    const counters = new Map<number, Counter>();
    const terminals = new Set<string>();
    const unmeasured = new Set<string>();
    for (const [id, processes] of occupants) {
      const isMeasured = processes.length === 0 || processes.some(({ pid }) => figures.has(pid));
      if (!isMeasured) unmeasured.add(id);
      if (isMeasured || this.#terminals.has(id)) terminals.add(id);
      for (const process of processes) {
        // What is not known now is compared with the next sample that knows it.
        const counter = isMeasured
          ? newCounter(id, process, figures)
          : counterOf(this.#counters, process);
        if (counter !== undefined) counters.set(process.pid, counter);
      }
    }
    const counted = countedBefore(this.#counters, counters);
    const used = new Map<string, Used | undefined>();
    for (const [id, processes] of occupants) {
      if (processes.length === 0) continue;
      const isKnown = this.#terminals.has(id) && !unmeasured.has(id);
      used.set(id, isKnown ? this.#use(id, processes, counters, counted) : undefined);
    }
    this.#counters = counters;
    this.#terminals = terminals;
    this.#at = at;
    return used;
  }

  #use(
    id: string,
    processes: readonly ProcessInfo[],
    counters: Counters,
    counted: ReadonlyMap<number, number>,
  ): Used {
    let cores = 0;
    let memoryBytes = 0;
    for (const process of processes) {
      const figures = counterOf(counters, process)?.figures;
      if (figures === undefined) continue;
      const before = counterOf(this.#counters, process);
      const wasHere = before?.terminal === id ? before.figures : undefined;
      cores += this.#coresOf(figures, wasHere, counted.get(process.pid) ?? 0);
      memoryBytes += Math.max(0, figures.memoryBytes);
    }
    return { cpuPercent: Math.min(this.#maxPercent, cores * 100), memoryBytes };
  }

  /** How many processors a process kept busy. One that is new in the terminal counts where all of its life lies between
   * the samples: what an older one did before it came has nothing to do with this terminal. */
  #coresOf(now: Figures, before: Figures | undefined, countedMs: number): number {
    const overMs = now.at - (before?.at ?? this.#at);
    const isOlder = before === undefined && now.ageMs >= overMs;
    if (overMs <= 0 || isOlder) return 0;
    const ranMs = Math.max(0, now.ranMs - (before?.ranMs ?? 0));
    const waitedMs = Math.max(0, now.waitedMs - (before?.waitedMs ?? 0) - countedMs);
    return (ranMs + waitedMs) / overMs;
  }
}

function newCounter(
  terminal: string,
  { pid, parent, startTick }: ProcessInfo,
  measured: ReadonlyMap<number, Figures>,
): Counter | undefined {
  const figures = measured.get(pid);
  return figures && { startTick, parent, terminal, figures };
}
