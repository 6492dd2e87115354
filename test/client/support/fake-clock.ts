import type { Cancel, Clock } from "../../../src/client/clock.ts";

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** Time that stands still until it is moved. */
export class FakeClock implements Clock {
  #now = 1_790_000_000_000;
  readonly #tasks = new Set<Task>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  schedule(delayMs: number, run: () => void): Cancel {
    const task = { at: this.#now + delayMs, run };
    this.#tasks.add(task);
    return () => {
      this.#tasks.delete(task);
    };
  }

  /** How many tasks wait. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** Moves time on, running what falls due in its order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let task = this.#due(end); task !== undefined; task = this.#due(end)) {
      this.#tasks.delete(task);
      this.#now = Math.max(this.#now, task.at);
      task.run();
    }
    this.#now = end;
  }

  #due(end: number): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#tasks) {
      if (task.at <= end && (first === undefined || task.at < first.at)) first = task;
    }
    return first;
  }
}
