import type { ProcessKey } from "../../processes/types.ts";

/** What one process has used, as it was measured at one moment. */
export interface Figures {
  /** For how long it ran since it began, its threads together, in milliseconds of processor time. */
  readonly ranMs: number;
  /** The same of its children that ended and that it has waited for, and of theirs. 0 where the system does not say. */
  readonly waitedMs: number;
  /** Resident memory. */
  readonly memoryBytes: number;
  /** How long ago it began, in milliseconds. */
  readonly ageMs: number;
  /** When this was measured, in the monotonic clock. */
  readonly at: number;
}

/** Measures processes, and answers by pid. A process that has ended has no figures, nor one that may not be read, nor has
 * another one that got its number. Rejects where nothing can be measured, which says nothing of any process. */
export type Measure = (processes: readonly ProcessKey[]) => Promise<ReadonlyMap<number, Figures>>;
