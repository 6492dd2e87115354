import { MAX_PROBES } from "./limits.ts";

/** A probe that is due. It must not reject. */
export type ProbeJob = () => Promise<void>;

/** Runs probes, so many at once. Those that wait go by turns of their owners: one session with many slow probes holds
 * up others by one probe's time, not by all of them. */
export class ProbeQueue {
  readonly #limit: number;
  /** By owner, in the order of their turns. None is empty. */
  readonly #waiting = new Map<object, Set<ProbeJob>>();
  #running = 0;

  constructor(limit = MAX_PROBES) {
    this.#limit = limit;
  }

  /** Runs the job when it is its turn. The answer takes it back, unless it has begun. */
  add(owner: object, job: ProbeJob): () => void {
    const jobs = this.#waiting.get(owner) ?? new Set();
    jobs.add(job);
    this.#waiting.set(owner, jobs);
    this.#proceed();
    return () => {
      if (jobs.delete(job) && jobs.size === 0) this.#waiting.delete(owner);
    };
  }

  #proceed(): void {
    while (this.#running < this.#limit) {
      const job = this.#next();
      if (job === undefined) return;
      this.#running += 1;
      void job().finally(() => {
        this.#running -= 1;
        this.#proceed();
      });
    }
  }

  #next(): ProbeJob | undefined {
    for (const [owner, jobs] of this.#waiting) {
      this.#waiting.delete(owner);
      for (const job of jobs) {
        jobs.delete(job);
        if (jobs.size > 0) this.#waiting.set(owner, jobs);
        return job;
      }
    }
    return undefined;
  }
}
