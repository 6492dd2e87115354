import type { Cancel, Clock } from "../../time/clock.ts";
import type { Question } from "../vt/queries.ts";
import { ReplyFilter } from "./reply-filter.ts";
import { isInterrupt } from "./sends.ts";

/** What a viewer types on its way to the terminal, without the answers that its own terminal makes. */
export class TypedInput {
  readonly #clock: Clock;
  readonly #filter: ReplyFilter;
  readonly #pass: (bytes: Uint8Array) => void;
  #due: Cancel | undefined;

  constructor(clock: Clock, pass: (bytes: Uint8Array) => void) {
    this.#clock = clock;
    this.#filter = new ReplyFilter(() => clock.monotonic());
    this.#pass = pass;
  }

  /** The viewer was sent output in which the program asks something. */
  asked(question: Question): void {
    this.#filter.asked(question);
  }

  take(bytes: Uint8Array): void {
    // An interrupt goes before all that waits, and is known by being nothing else.
    if (isInterrupt(bytes)) this.flush();
    this.#give(this.#filter.take(bytes));
    this.#due?.();
    const { heldMs } = this.#filter;
    this.#due = heldMs === undefined ? undefined : this.#flushAfter(heldMs);
  }

  /** Lets go of what waits for its end. */
  flush(): void {
    this.#due?.();
    this.#due = undefined;
    this.#give(this.#filter.flush());
  }

  /** What has come meanwhile is looked at first: on a loaded machine the time may be over before it is read. */
  #flushAfter(ms: number): Cancel {
    return this.#clock.schedule(ms, () => {
      const soon = setImmediate(() => this.flush());
      this.#due = () => clearImmediate(soon);
    });
  }

  #give(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pass(bytes);
  }
}
