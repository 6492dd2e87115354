/** Whoever wants to know that something has happened, and with what. */
export class Signal<Subject = void> {
  readonly #listeners = new Set<(subject: Subject) => void>();

  /** Calls the listener each time, until the answer is called. */
  on(listener: (subject: Subject) => void): () => void {
    // A function of its own for each call: the same listener added twice is ended one by one.
    const entry = (subject: Subject) => listener(subject);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(subject: Subject): void {
    for (const listener of [...this.#listeners]) listener(subject);
  }
}
