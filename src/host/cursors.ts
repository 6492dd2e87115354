import { Signal } from "./signal.ts";
import type { Terminal } from "./terminal.ts";

/** Up to where each terminal has been read by calls: where the next read begins that names no place. */
export class ReadCursors {
  /** That of a terminal is another. */
  readonly moved = new Signal<Terminal>();
  readonly #offsets = new WeakMap<Terminal, number>();

  of(terminal: Terminal): number {
    return this.#offsets.get(terminal) ?? 0;
  }

  move(terminal: Terminal, offset: number): void {
    this.#offsets.set(terminal, offset);
    this.moved.emit(terminal);
  }
}
