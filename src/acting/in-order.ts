import { ActingError } from "./failure.ts";

/** How much may wait for what is typed into one terminal before it, in UTF-16 units. */
const WAITING_UNITS = 1024 * 1024;

interface Queue {
  last: Promise<unknown>;
  units: number;
}

/** Does things one after the other that have the same name: nothing comes between a text and the Enter that submits it.
 * Holds nothing of a name for which nothing waits. */
export class InOrder {
  readonly #queues = new Map<string, Queue>();

  /** `units`: how much the task is about. Rejects with `busy` where too much waits already. */
  async run<Result>(name: string, units: number, task: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name) ?? { last: Promise.resolve(), units: 0 };
    if (queue.units > 0 && queue.units + units > WAITING_UNITS) {
      throw new ActingError(
        "busy",
        `${queue.units} characters wait to be typed into the terminal; try again when they have been`,
      );
    }
    const done = queue.last.then(task);
    const settled = done.catch(() => {});
    queue.last = settled;
    queue.units += units;
    this.#queues.set(name, queue);
    try {
      return await done;
    } finally {
      queue.units -= units;
      if (queue.last === settled) this.#queues.delete(name);
    }
  }
}
