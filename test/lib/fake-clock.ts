import type { Cancel, Clock } from "../../src/time/clock.ts";

interface Task {
  readonly at: number;
  run(): void;
}

/** A clock that moves when the test says so. */
export class FakeClock implements Clock {
  readonly #startsAt: number;
  readonly #tasks = new Set<Task>();
  #elapsed = 0;

  /** `startsAt` is the wall clock's first answer. */
  constructor(startsAt = 1_700_000_000_000) {
    this.#startsAt = startsAt;
  }

  now(): number {
    return this.#startsAt + Math.floor(this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  schedule(delayMs: number, task: () => void): Cancel {
    const entry = { at: this.#elapsed + Math.max(0, delayMs), run: task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  }

  /** How many tasks wait. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** Lets time pass: runs each task at its own time, in order, and after each what it left for later
   * in promises and microtasks. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (let task = this.#next(end); task !== undefined; task = this.#next(end)) {
      this.#elapsed = Math.max(this.#elapsed, task.at);
      this.#tasks.delete(task);
      task.run();
      await settled();
    }
    this.#elapsed = end;
  }

  #next(end: number): Task | undefined {
    let next: Task | undefined;
    for (const task of this.#tasks) {
      if (task.at <= end && (next === undefined || task.at < next.at)) next = task;
    }
    return next;
  }
}

/** How many turns of the event loop work may give way to others for. */
const TURNS = 4;

/** Resolves when everything is done that promises and microtasks still had to do, and work that gives way to others
 * in between. No time passes. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
