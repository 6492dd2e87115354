/** Somebody with output to send. */
export interface Sender {
  /** Sends one slice. Answers whether there is more that could be sent now. */
  sendSlice(): boolean;
  /** A slice could not be sent because of a fault: it sends no more. */
  failed(error: unknown): void;
}

/** How long slices are sent before others get to run, in milliseconds: input that has come meanwhile goes first. */
const TURN_MS = 2;

/** Lets senders take turns, one slice each: a terminal that writes without end adds one slice to what the others wait
 * for, and not more. */
export class Turns {
  readonly #now: () => number;
  readonly #ready = new Set<Sender>();
  #isDue = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** There is something to send. */
  wake(sender: Sender): void {
    this.#ready.add(sender);
    this.#runLater();
  }

  remove(sender: Sender): void {
    this.#ready.delete(sender);
  }

  #runLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isDue = false;
    const began = this.#now();
    for (const sender of this.#ready) {
      this.#ready.delete(sender);
      // Behind the others, which are in the order in which they came.
      if (this.#send(sender)) this.#ready.add(sender);
      if (this.#now() - began >= TURN_MS) break;
    }
    if (this.#ready.size > 0) this.#runLater();
  }

  /** A fault of one sender is no other's. */
  #send(sender: Sender): boolean {
    try {
      return sender.sendSlice();
    } catch (error) {
      sender.failed(error);
      return false;
    }
  }
}
