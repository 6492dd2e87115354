import { ACTIVITY_STEP_MS } from "../contract/terminals.ts";

/** When a terminal last wrote something. It is stated in steps, so that output makes no traffic. */
export class Activity {
  #at: number | undefined;

  /** In epoch milliseconds. Absent before the first. */
  get at(): number | undefined {
    return this.#at;
  }

  /** Answers whether what is stated differs. */
  note(now: number): boolean {
    const before = this.#at ?? -1;
    this.#at = now;
    return Math.floor(now / ACTIVITY_STEP_MS) !== Math.floor(before / ACTIVITY_STEP_MS);
  }
}
