import type { ProcessInfo } from "../../processes/types.ts";
import { type Counters, countedBefore, countersOf } from "./counters.ts";
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
  #terminals: ReadonlyMap<string, Counters> = new Map();

  /** `cores`: how many processors there are. No terminal uses more than all of them. */
  constructor(cores: number) {
    this.#maxPercent = cores * 100;
  }

  /** Takes in a sample. Every terminal of it is in the answer, without a value where that is not known: this is the first
   * sample with that terminal, or none of its processes could be measured. */
  take({ at, occupants, figures }: UsageSample): ReadonlyMap<string, Used | undefined> {
    const terminals = new Map<string, Counters>();
    const measured = new Set<string>();
    for (const [id, processes] of occupants) {
      const counters = countersOf(processes, figures);
      const isMeasured = counters.size > 0 || processes.length === 0;
      if (isMeasured) measured.add(id);
      // What is not known now is compared with the next sample that knows it.
      const kept = isMeasured ? counters : this.#terminals.get(id);
      if (kept !== undefined) terminals.set(id, kept);
    }
    const counted = countedBefore(this.#terminals.values(), terminals.values());
    const used = new Map<string, Used | undefined>();
    for (const id of occupants.keys()) {
      const before = this.#terminals.get(id);
      const now = measured.has(id) ? terminals.get(id) : undefined;
      used.set(id, before && now && this.#use(before, now, counted));
    }
    this.#terminals = terminals;
    this.#at = at;
    return used;
  }

  #use(before: Counters, now: Counters, counted: ReadonlyMap<string, number>): Used {
    let cores = 0;
    let memoryBytes = 0;
    for (const [key, { figures }] of now) {
      cores += this.#coresOf(figures, before.get(key)?.figures, counted.get(key) ?? 0);
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
