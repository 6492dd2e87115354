import type { ProcessInfo } from "../processes/types.ts";
import type { Explanation } from "./explain.ts";
import type { ObservationEvents, ObservationOptions } from "./observed.ts";
import { ObservationRun } from "./run.ts";

/** How long a subscriber waits for a reading, in milliseconds. What has not answered by then is stated as it
 * stands and follows as a change: one place that hangs keeps nobody from the others. */
const FIRST_READING_MS = 1_000;

/** The one observation of the host, behind all topics that are about it. It runs while somebody wants it; else
 * there is no timer of it, no watch and no child process. */
export class Observation {
  readonly #options: ObservationOptions;
  readonly #events: ObservationEvents;
  #wants = 0;
  #run: ObservationRun | undefined;

  constructor(options: ObservationOptions, events: ObservationEvents) {
    this.#options = options;
    this.#events = events;
  }

  acquire(): void {
    this.#wants += 1;
    this.#run ??= new ObservationRun(this.#options, this.#events);
  }

  release(): void {
    this.#wants -= 1;
    if (this.#wants > 0) return;
    this.#run?.stop();
    this.#run = undefined;
    this.#events.stopped();
  }

  /** The processes in each terminal, by its id, read after the call. Rejects where they cannot be read. */
  async occupants(): Promise<ReadonlyMap<string, readonly ProcessInfo[]>> {
    return this.#run?.occupants() ?? new Map();
  }

  /** How the rows came to be that were stated last. `undefined` while nobody wants them. */
  explain(): Explanation | undefined {
    return this.#run?.explain();
  }

  /** Resolves once what is known comes from readings that began after the call, or FIRST_READING_MS have
   * passed. */
  async fresh(): Promise<void> {
    await this.#run?.fresh(FIRST_READING_MS);
  }
}
