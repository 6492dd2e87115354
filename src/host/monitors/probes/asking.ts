/** One time that a probe is asked. It may be given up: its time is over, or nobody wants to know any more. */
export class Asking {
  #isGivenUp = false;
  #controller: AbortController | undefined;
  readonly #listeners = new Set<() => void>();

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Aborts when it is given up. Made for who asks for it: most probes are over before anybody would listen. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isGivenUp) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Calls the listener once when it is given up, later than now, until the answer is called. */
  onGivenUp(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  giveUp(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#controller?.abort();
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }
}
