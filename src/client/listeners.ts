import type { Cancel } from "./clock.ts";

type Listener<Value> = (value: Value) => void;

/** Who listens to which event. */
export class Listeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();
  readonly #failed: (event: keyof Events, cause: unknown) => void;

  /** `failed` is told when a listener threw; the others are told of the event all the same. */
  constructor(failed: (event: keyof Events, cause: unknown) => void) {
    this.#failed = failed;
  }

  on<Name extends keyof Events>(event: Name, listener: Listener<Events[Name]>): Cancel {
    // A function of its own for each call: the same listener added twice is ended one by one.
    const entry: Listener<Events[Name]> = (value) => listener(value);
    const entries = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, entries.add(entry));
    return () => {
      entries.delete(entry);
    };
  }

  emit<Name extends keyof Events>(event: Name, value: Events[Name]): void {
    for (const entry of [...(this.#listeners.get(event) ?? [])]) {
      try {
        (entry as Listener<Events[Name]>)(value);
      } catch (cause) {
        this.#failed(event, cause);
      }
    }
  }
}
