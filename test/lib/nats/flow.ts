import type { Socket } from "node:net";

/** Beyond so much that waits, it reads no more. */
const MAX_WAITING_BYTES = 262_144;

/** How bytes pass: held back altogether, or each so many milliseconds after it came. */
export interface Passing {
  readonly held: boolean;
  readonly delayMs: number;
}

interface Piece {
  readonly dueAt: number;
  /** `undefined` is the end of what the sender says. */
  readonly bytes: Buffer | undefined;
}

/** One direction of a link: bytes leave in the order in which they came, when they may. */
export class Flow {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #passing: () => Passing;
  readonly #waiting: Piece[] = [];
  #bytes = 0;
  #full = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, passing: () => Passing) {
    this.#from = from;
    this.#to = to;
    this.#passing = passing;
    from.on("data", (bytes: Buffer) => this.#take(bytes));
    from.on("end", () => this.#take(undefined));
    to.on("drain", () => {
      this.#full = false;
      this.pass();
    });
    to.on("close", () => clearTimeout(this.#timer));
  }

  #take(bytes: Buffer | undefined): void {
    this.#waiting.push({ dueAt: performance.now() + this.#passing().delayMs, bytes });
    this.#bytes += bytes?.length ?? 0;
    if (this.#bytes > MAX_WAITING_BYTES) this.#from.pause();
    this.pass();
  }

  /** Lets go of what may pass now. */
  pass(): void {
    clearTimeout(this.#timer);
    if (this.#to.destroyed) return;
    while (!this.#full && !this.#passing().held) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const wait = first.dueAt - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.pass(), wait);
        break;
      }
      this.#waiting.shift();
      this.#send(first.bytes);
    }
    if (this.#bytes <= MAX_WAITING_BYTES) this.#from.resume();
  }

  #send(bytes: Buffer | undefined): void {
    if (bytes === undefined) {
      this.#to.end();
      return;
    }
    this.#bytes -= bytes.length;
    this.#full = !this.#to.write(bytes);
  }
}
