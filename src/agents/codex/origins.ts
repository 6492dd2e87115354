import { isSubAgent } from "./origin.ts";

/** Which threads are sub-agents', read once for each record. One is read after the other: a record on a disk that
 * does not answer holds up one reading of a file, and not all of this process. */
export class Origins {
  readonly #read: (rollout: string) => Promise<boolean | undefined>;
  readonly #learned: () => void;
  /** `undefined`: asked for, and not known yet. */
  readonly #known = new Map<string, boolean | undefined>();
  #reading: Promise<void> | undefined;

  /** `learned` is called when more is known than before. */
  constructor(learned: () => void, read = isSubAgent) {
    this.#learned = learned;
    this.#read = read;
  }

  /** Whether the thread of that record is a sub-agent's. `undefined` as long as it was not read, which begins with
   * the question. */
  isSubAgent(rollout: string): boolean | undefined {
    const known = this.#known.get(rollout);
    if (known !== undefined) return known;
    this.#known.set(rollout, undefined);
    this.#reading ??= this.#readAll();
    return undefined;
  }

  /** Forgets all others. */
  keep(rollouts: ReadonlySet<string>): void {
    for (const rollout of this.#known.keys()) {
      if (!rollouts.has(rollout)) this.#known.delete(rollout);
    }
  }

  /** Resolves when what was asked for has been read. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    let isMoreKnown = false;
    // What is asked for on the way is read in the same go.
    for (const [rollout, known] of this.#known) {
      if (known !== undefined) continue;
      const answer = await this.#read(rollout);
      // A record without its first line is read anew when it is asked for again, which is with the next look.
      if (answer === undefined) this.#known.delete(rollout);
      else if (this.#known.has(rollout)) {
        this.#known.set(rollout, answer);
        isMoreKnown = true;
      }
    }
    this.#reading = undefined;
    if (isMoreKnown) this.#learned();
  }
}
