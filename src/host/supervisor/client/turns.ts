import { SupervisorError } from "./failure.ts";

/** How many wait for a turn at most. */
const MAX_WAITING = 1_000;

/** So many at once; the others wait until it is their turn, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves when it is one's turn. Rejects with a SupervisorError where too many wait already. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      const why = `${MAX_WAITING} operations wait for their turn already; wait until some are done`;
      throw new SupervisorError("backlog", why);
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The turn is the next one's. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
