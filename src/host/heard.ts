import { displayText } from "../sources/text.ts";
import type { Questions } from "./questions.ts";
import type { Signal } from "./signal.ts";
import type { Question } from "./vt/queries.ts";
import { type Modes, Scanner } from "./vt/scanner.ts";

/** What is told of what was heard. */
export interface Hearer {
  /** What is said of the terminal differs. */
  readonly changed: Signal;
  /** What the program has asked: the host answers, and what a viewer's own terminal answers as well is told by this. */
  readonly questions: Questions;
}

/** What there was before the output. */
interface Before {
  readonly limit: number;
  readonly origin: number;
  readonly primer: Uint8Array;
}

/** What a terminal's output says of the terminal itself. */
export class Heard {
  readonly scanner: Scanner;
  readonly #hearer: Hearer;
  #title = "";
  #bell = false;
  #modes: Modes | undefined;
  #isAlternate = false;
  /** Whether there is a question in the output that was fed last. */
  #isAsked = false;

  /** `limit` and `origin` are those of the ring that is given the same output; `primer` puts the terminal into the state that it
   * had before. */
  constructor(hearer: Hearer, { limit, origin, primer }: Before) {
    this.#hearer = hearer;
    const told = {
      title: (text: string) => {
        this.#title = displayText(text) ?? "";
        hearer.changed.emit();
      },
      bell: () => {
        if (this.#bell) return;
        this.#bell = true;
        hearer.changed.emit();
      },
      alternate: (isOn: boolean) => {
        this.#isAlternate = isOn;
      },
      modes: (modes: Modes) => {
        this.#modes = modes;
      },
      query: (question: Question) => {
        this.#isAsked = true;
        hearer.questions.note(this.scanner.end, question);
      },
    };
    this.scanner = new Scanner(told, limit, origin);
    this.scanner.prime(primer);
  }

  get title(): string {
    return this.#title;
  }

  /** Whether a bell rang since it was last seen. */
  get bell(): boolean {
    return this.#bell;
  }

  /** Absent where its program has asked for none. */
  get modes(): Modes | undefined {
    return this.#modes;
  }

  /** Whether a program uses the whole screen. */
  get isAlternate(): boolean {
    return this.#isAlternate;
  }

  /** Takes output, out of which it takes what nobody is to have. Answers whether somebody waits for an answer to it. */
  feed(bytes: Uint8Array): boolean {
    this.#isAsked = false;
    this.scanner.feed(bytes);
    return this.#isAsked;
  }

  /** Somebody looks. */
  seen(): void {
    if (!this.#bell) return;
    this.#bell = false;
    this.#hearer.changed.emit();
  }
}
