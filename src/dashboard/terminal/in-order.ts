/** What parses a terminal's output. */
export interface Parser {
  write(bytes: Uint8Array, parsed: () => void): void;
}

/** How much is parsed without a look at the clock, in bytes: some milliseconds' worth of the shortest lines, each of which
 * moves the screen, by code that runs for the first time. */
const SLICE_BYTES = 2 * 1024;

/** How much the parser is given before it is waited for, in bytes. Of a flood that is what one frame of the page parses: more
 * cannot be seen, and takes the processor from the program and from the keys. */
const TURN_BYTES = 64 * 1024;

type Task =
  | { readonly bytes: Uint8Array; readonly parsed: () => void }
  | { readonly act: () => void };

/** Output of a terminal and what happens to it as a whole, such as another size, in the order in which they came: output
 * that was printed for one size is parsed at that size. */
export class InOrder {
  readonly #parser: Parser;
  readonly #afterFrame: (proceed: () => void) => void;
  #tasks: Task[] = [];
  #isParsing = false;

  /** `afterFrame`: calls back once the page has drawn, where it is drawn. Default: at once. */
  constructor(parser: Parser, afterFrame: (proceed: () => void) => void = (proceed) => proceed()) {
    this.#parser = parser;
    this.#afterFrame = afterFrame;
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
      const isFull = given >= TURN_BYTES;
      isLast = isFull || next === undefined || "act" in next;
      this.#give(slice, rest.length === 0 ? parsed : undefined, { isLast, isFull });
    }
  }

  #give(
    slice: Uint8Array,
    parsed: (() => void) | undefined,
    { isLast, isFull }: { readonly isLast: boolean; readonly isFull: boolean },
  ): void {
    if (isLast) this.#isParsing = true;
    this.#parser.write(slice, () => {
      parsed?.();
      if (!isLast) return;
      const proceed = () => {
        this.#isParsing = false;
        this.#turn();
      };
      if (isFull) this.#afterFrame(proceed);
      else proceed();
    });
  }
}
