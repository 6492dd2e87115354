/** What parses a terminal's output. */
export interface Parser {
  write(bytes: Uint8Array, parsed: () => void): void;
}

/** How much is parsed without a look at the clock, in bytes: some milliseconds' worth where every character is coloured. */
const SLICE_BYTES = 16 * 1024;

/** How much the parser is given before it is waited for, in bytes. It lets the page draw between two slices. */
const TURN_BYTES = 128 * 1024;

type Task =
  | { readonly bytes: Uint8Array; readonly parsed: () => void }
  | { readonly act: () => void };

/** Output of a terminal and what happens to it as a whole, such as another size, in the order in which they came: output
 * that was printed for one size is parsed at that size. */
export class InOrder {
  readonly #parser: Parser;
  #tasks: Task[] = [];
  #isParsing = false;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  write(bytes: Uint8Array, parsed: () => void): void {
    this.#add({ bytes, parsed });
  }

  /** Does this once all that came before has been parsed. */
  act(act: () => void): void {
    this.#add({ act });
  }

  /** What waits is forgotten: everything comes anew after this. */
  anew(act: () => void): void {
    this.#tasks = [];
    this.#add({ act });
  }

  #add(task: Task): void {
    this.#tasks.push(task);
    if (!this.#isParsing) this.#turn();
  }

  #turn(): void {
    let given = 0;
    let isLast = false;
    while (!isLast) {
      const task = this.#tasks[0];
      if (task === undefined) return;
      if ("act" in task) {
        this.#tasks.shift();
        task.act();
        continue;
      }
      const { bytes, parsed } = task;
      const slice = bytes.subarray(0, SLICE_BYTES);
      const rest = bytes.subarray(SLICE_BYTES);
      if (rest.length === 0) this.#tasks.shift();
      else this.#tasks[0] = { bytes: rest, parsed };
      given += slice.length;
      const next = this.#tasks[0];
      isLast = given >= TURN_BYTES || next === undefined || "act" in next;
      this.#give(slice, rest.length === 0 ? parsed : undefined, isLast);
    }
  }

  #give(slice: Uint8Array, parsed: (() => void) | undefined, isLast: boolean): void {
    if (isLast) this.#isParsing = true;
    this.#parser.write(slice, () => {
      parsed?.();
      if (!isLast) return;
      this.#isParsing = false;
      this.#turn();
    });
  }
}
