import { type Cancel, type Clock, MAX_DELAY_MS } from "../../time/clock.ts";

/** So many entries may be cancelled before the heap is made anew without them, or half of all. */
const CANCELLED_KEPT = 64;

interface Entry {
  readonly at: number;
  /** Absent once it was cancelled. */
  run: (() => void) | undefined;
}

/** Tasks for later, in any number on one timer, in the order of their times. */
export class Deadlines {
  readonly #clock: Clock;
  /** A binary heap: no entry is earlier than the one at half its place. The first place is 1. */
  readonly #heap: Entry[] = [{ at: Number.NEGATIVE_INFINITY, run: undefined }];
  #cancel: Cancel = () => {};
  #armedFor = Number.POSITIVE_INFINITY;
  #cancelled = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs the task once when the clock's monotonic time has come. */
  at(time: number, run: () => void): Cancel {
    const entry: Entry = { at: time, run };
    this.#push(entry);
    this.#arm();
    return () => {
      // What has run is no longer in the heap.
      if (entry.run === undefined) return;
      entry.run = undefined;
      this.#cancelled += 1;
      this.#dropCancelled();
    };
  }

  #arm(): void {
    const next = this.#heap[1];
    const at = next?.at ?? Number.POSITIVE_INFINITY;
    if (at === this.#armedFor) return;
    this.#cancel();
    this.#armedFor = at;
    if (next === undefined) return;
    const delay = Math.min(MAX_DELAY_MS, Math.max(0, Math.ceil(at - this.#clock.monotonic())));
    this.#cancel = this.#clock.schedule(delay, () => {
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.#run();
    });
  }

  #run(): void {
    const now = this.#clock.monotonic();
    for (let next = this.#heap[1]; next !== undefined && next.at <= now; next = this.#heap[1]) {
      this.#pop();
      const { run } = next;
      next.run = undefined;
      if (run === undefined) this.#cancelled -= 1;
      else run();
    }
    this.#arm();
  }

  /** Those in front go at once, so that no timer waits for nobody; the others when they are many. */
  #dropCancelled(): void {
    if (this.#cancelled > Math.max(CANCELLED_KEPT, this.#heap.length / 2)) {
      const [root, ...entries] = this.#heap;
      const left = entries.filter(({ run }) => run !== undefined).sort((a, b) => a.at - b.at);
      this.#heap.splice(0, this.#heap.length, ...(root ? [root] : []), ...left);
      this.#cancelled = 0;
    }
    while (this.#heap.length > 1 && this.#heap[1]?.run === undefined) {
      this.#pop();
      this.#cancelled -= 1;
    }
    this.#arm();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    for (let above = heap[place >>> 1]; above && above.at > entry.at; above = heap[place >>> 1]) {
      heap[place] = above;
      place >>>= 1;
    }
    heap[place] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 1) return;
    let place = 1;
    for (;;) {
      const left = heap[2 * place];
      const right = heap[2 * place + 1];
      if (left === undefined) break;
      const below = right !== undefined && right.at < left.at ? right : left;
      if (below.at >= last.at) break;
      heap[place] = below;
      place = below === left ? 2 * place : 2 * place + 1;
    }
    heap[place] = last;
  }
}
