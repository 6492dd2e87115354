/** Whoever wants to know that something has happened. What it was they look up themselves. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  /** Calls the listener each time, until the answer is called. */
  on(listener: () => void): () => void {
    // A function of its own for each call: the same listener added twice is ended one by one.
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
