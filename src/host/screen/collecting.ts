import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Cancel, Clock } from "../../time/clock.ts";

/** How long after the last screen was frozen its memory is given back, in milliseconds: others may be frozen just then. */
const REST_MS = 2_000;

/** How often that is done at most, in milliseconds. It takes some 50 ms, in which nothing is parsed. */
const PERIOD_MS = 30_000;

/** The second time gives back what the first found to be free. */
const TIMES = 2;

/** Has the engine give memory back after screens were frozen. By itself it does when more is asked for, and a worker with
 * nothing but frozen screens never asks. */
export class Collecting {
  readonly #clock: Clock;
  readonly #collect = collector();
  #due: Cancel | undefined;
  #doneAt = Number.NEGATIVE_INFINITY;
  #left = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A screen was frozen. */
  look(): void {
    this.#left = TIMES;
    this.#due?.();
    const earliest = this.#doneAt + PERIOD_MS - this.#clock.monotonic();
    this.#due = this.#clock.schedule(Math.max(REST_MS, earliest), () => this.#go());
  }

  #go(): void {
    this.#collect();
    this.#left -= 1;
    this.#doneAt = this.#clock.monotonic();
    this.#due = this.#left > 0 ? this.#clock.schedule(REST_MS, () => this.#go()) : undefined;
  }
}

/** Node has it for those who start it with an option, which a library cannot ask for. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function" ? () => void collect() : () => {};
}
