import { reasonOf } from "../../../files/reason.ts";
import type { InOrder } from "../../in-order.ts";
import type { Pane } from "../../tmux/pane.ts";
import { pasteText, typeBytes } from "../../tmux/typing.ts";
import { Pastes, type TypedPart } from "./pastes.ts";

/** How much may wait to be typed before the viewer is asked to wait, and at most, in bytes. */
const ENOUGH_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

/** How much of what is no paste is typed before others get their turn, in bytes. A paste is one. */
const TURN_BYTES = 16 * 1024;

export interface TypistParts {
  readonly pane: Pane;
  /** By the terminal's id, with all who type into it. */
  readonly order: InOrder;
  /** The pane's device; absent where it is not known. */
  readonly tty: string | undefined;
  /** Something was typed. */
  typed(): void;
  /** Something was not typed, and nothing of what waited behind it. */
  refused(why: string): void;
}

/** Types what one viewer types, in its order: what comes while a command of tmux is under way goes with the next one. */
export class Typist {
  readonly #parts: TypistParts;
  readonly #pastes = new Pastes();
  #waiting: TypedPart[] = [];
  #bytes = 0;
  #isTyping = false;
  #isOver = false;
  #room: (() => void) | undefined;
  #hasRoom: Promise<void> | undefined;

  constructor(parts: TypistParts) {
    this.#parts = parts;
  }

  /** The promise, where there is one, resolves once less waits. */
  type(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isOver || bytes.length === 0) return undefined;
    if (this.#bytes + bytes.length > MOST_BYTES) {
      this.#parts.refused(
        `${bytes.length} bytes were not typed: ${this.#bytes} wait for the terminal to take them`,
      );
      return this.#hasRoom;
    }
    // The view's caller may use its memory for what comes next.
    this.#waiting.push(...this.#pastes.parts(Buffer.from(bytes)));
    this.#bytes += bytes.length;
    if (!this.#isTyping) void this.#typeAll();
    if (this.#bytes <= ENOUGH_BYTES) return undefined;
    this.#hasRoom ??= new Promise((resolve) => {
      this.#room = resolve;
    });
    return this.#hasRoom;
  }

  /** What waits is not typed any more. */
  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.#makeRoom();
  }

  async #typeAll(): Promise<void> {
    this.#isTyping = true;
    for (let turn = this.#take(); turn !== undefined; turn = this.#take()) await this.#type(turn);
    this.#isTyping = false;
  }

  /** What is typed next, as much of it as fits into one turn. */
  #take(): TypedPart | undefined {
    const first = this.#waiting[0];
    if (first === undefined || first.isPaste) return this.#waiting.shift();
    const end = this.#waiting.findIndex(({ isPaste }) => isPaste);
    const typed = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    const all = Buffer.concat(typed.map(({ bytes }) => bytes));
    const rest = all.subarray(TURN_BYTES);
    if (rest.length > 0) this.#waiting.unshift({ bytes: rest, isPaste: false });
    return { bytes: all.subarray(0, TURN_BYTES), isPaste: false };
  }

  async #type({ bytes, isPaste }: TypedPart): Promise<void> {
    const { order, pane, tty, typed, refused } = this.#parts;
    const type = isPaste
      ? () => pasteText(pane, bytes.toString("utf8"), tty)
      : () => typeBytes(pane, bytes, tty);
    try {
      await order.run(pane.seen.id, bytes.length, type);
      typed();
    } catch (error) {
      this.#waiting = [];
      if (!this.#isOver) refused(reasonOf(error));
    }
    this.#bytes = this.#waiting.reduce((sum, part) => sum + part.bytes.length, 0);
    if (this.#bytes <= ENOUGH_BYTES) this.#makeRoom();
  }

  #makeRoom(): void {
    this.#room?.();
    this.#room = undefined;
    this.#hasRoom = undefined;
  }
}
