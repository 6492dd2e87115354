interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Who waits for which topic. */
export class Waiters<Topic> {
  readonly #waiting = new Map<Topic, Waiter[]>();

  wait(topic: Topic): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(topic, [...(this.#waiting.get(topic) ?? []), { resolve, reject }]);
    });
  }

  resolve(topic: Topic): void {
    for (const waiter of this.#taken(topic)) waiter.resolve();
  }

  reject(topic: Topic, reason: Error): void {
    for (const waiter of this.#taken(topic)) waiter.reject(reason);
  }

  rejectAll(reason: Error): void {
    for (const topic of [...this.#waiting.keys()]) this.reject(topic, reason);
  }

  #taken(topic: Topic): Waiter[] {
    const waiters = this.#waiting.get(topic) ?? [];
    this.#waiting.delete(topic);
    return waiters;
  }
}
