/** Somebody with output to send. */
export interface Sender {
  /** Sends one slice. Answers whether there is more that could be sent now. */
  sendSlice(): boolean;
}

/** How long slices are sent before others get to run, in milliseconds: input that has come meanwhile goes first. */
const TURN_MS = 4;

/** Lets senders take turns, one slice each: a terminal that writes without end adds one slice to what the others wait
 * for, and not more. */
export class Turns {
  readonly #now: () => number;
  #ready = new Set<Sender>();
  #isDue = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** There is something to send. */
  wake(sender: Sender): void {
    this.#ready.add(sender);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }

  remove(sender: Sender): void {
    this.#ready.delete(sender);
  }

  #run(): void {
    this.#isDue = false;
    const began = this.#now();
    for (const sender of this.#ready) {
      if (this.#now() - began >= TURN_MS) break;
      this.#ready.delete(sender);
      // Behind the others, which are in the order in which they came.
      if (sender.sendSlice()) this.#ready.add(sender);
    }
    if (this.#ready.size === 0 || this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }
}
