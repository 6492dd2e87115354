import type { Clock } from "../../time/clock.ts";
import { MAX_PROBES } from "./limits.ts";

/** A probe that takes so long is a slow one, in milliseconds. Most take one or two. */
const SLOW_MS = 100;

/** How many of the probes that are not slow, and how many slow ones, are begun beside each other. A probe that turns out to be
 * slow leaves its place to another that is not. */
const QUICK_PLACES = 8;
const SLOW_PLACES = 16;

/** A probe that is due. It must not reject. */
export type ProbeJob = () => Promise<void>;

/** How one monitor's probe has been of late. */
export interface Pace {
  isSlow: boolean;
}

/** Runs probes, so many at once. Slow ones have places of their own, so that no other waits for them; and those that wait go
 * by turns of their owners: one session with many probes holds up others by one probe's time, not by all of them. */
export class ProbeQueue {
  readonly #clock: Clock;
  readonly #quick = new Lane(QUICK_PLACES);
  readonly #slow = new Lane(SLOW_PLACES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs the job when it is its turn, and notes how long it takes. The answer takes it back, unless it has begun. */
  add(owner: object, job: ProbeJob, pace: Pace): () => void {
    const lane = pace.isSlow ? this.#slow : this.#quick;
    const drop = lane.add(owner, () => this.#run(job, pace, lane));
    this.#proceed();
    return drop;
  }

  #run(job: ProbeJob, pace: Pace, begunIn: Lane): void {
    let lane = begunIn;
    const began = this.#clock.monotonic();
    const overrun = this.#clock.schedule(SLOW_MS, () => {
      lane.running -= 1;
      lane = this.#slow;
      lane.running += 1;
      this.#proceed();
    });
    lane.running += 1;
    void job().finally(() => {
      overrun();
      lane.running -= 1;
      pace.isSlow = this.#clock.monotonic() - began >= SLOW_MS;
      this.#proceed();
    });
  }

  #proceed(): void {
    for (const lane of [this.#quick, this.#slow]) {
      while (lane.hasPlace && this.#quick.running + this.#slow.running < MAX_PROBES) {
        const begin = lane.next();
        if (begin === undefined) break;
        begin();
      }
    }
  }
}

type Begin = () => void;

/** Probes that wait for the same places. */
class Lane {
  running = 0;
  readonly #places: number;
  /** By owner, in the order of their turns. None is empty. */
  readonly #waiting = new Map<object, Set<Begin>>();

  constructor(places: number) {
    this.#places = places;
  }

  get hasPlace(): boolean {
    return this.running < this.#places;
  }

  /** The answer takes it back, unless it was taken. */
  add(owner: object, begin: Begin): () => void {
    const waiting = this.#waiting.get(owner) ?? new Set();
    waiting.add(begin);
    this.#waiting.set(owner, waiting);
    return () => {
      if (waiting.delete(begin) && waiting.size === 0) this.#waiting.delete(owner);
    };
  }

  next(): Begin | undefined {
    for (const [owner, waiting] of this.#waiting) {
      this.#waiting.delete(owner);
      for (const begin of waiting) {
        waiting.delete(begin);
        if (waiting.size > 0) this.#waiting.set(owner, waiting);
        return begin;
      }
    }
    return undefined;
  }
}
