import type { Cancel, Clock } from "../../time/clock.ts";

/** Applies what was set last: at once after quiet, and a little later where one follows another. */
export class Latest<Value> {
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #apply: (value: Value) => void;
  #waiting: { readonly value: Value } | undefined;
  #due: Cancel | undefined;

  /** `stepMs`: how much time lies between two at least, in milliseconds. */
  constructor(clock: Clock, stepMs: number, apply: (value: Value) => void) {
    this.#clock = clock;
    this.#stepMs = stepMs;
    this.#apply = apply;
  }

  set(value: Value): void {
    this.#waiting = { value };
    if (this.#due === undefined) this.#go();
  }

  /** What was set last is applied now. */
  end(): void {
    this.#due?.();
    this.#due = undefined;
    if (this.#waiting !== undefined) this.#apply(this.#waiting.value);
    this.#waiting = undefined;
  }

  #go(): void {
    this.#due = undefined;
    if (this.#waiting === undefined) return;
    const { value } = this.#waiting;
    this.#waiting = undefined;
    this.#due = this.#clock.schedule(this.#stepMs, () => this.#go());
    this.#apply(value);
  }
}
