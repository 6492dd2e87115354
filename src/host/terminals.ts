import { randomUUID } from "node:crypto";
import { HostError } from "./failure.ts";
import { Signal } from "./signal.ts";
import { Terminal } from "./terminal.ts";
import type { TerminalOptions, TerminalParts } from "./terminal-options.ts";

/** How many terminals a host holds, and one session of it: those that have ended and are not closed count too. */
const MAX_TERMINALS = 64;
const MAX_SESSION_TERMINALS = 32;

/** All terminals of a host. */
export class Terminals {
  /** A terminal was opened or closed, or something is said of one that differs. */
  readonly changed = new Signal<Terminal>();
  readonly #parts: TerminalParts;
  readonly #terminals = new Map<string, Terminal>();

  constructor(parts: TerminalParts) {
    this.#parts = parts;
  }

  get all(): readonly Terminal[] {
    return [...this.#terminals.values()];
  }

  get running(): number {
    return this.all.filter(({ state }) => state === "running").length;
  }

  get(id: string): Terminal | undefined {
    return this.#terminals.get(id);
  }

  /** Those of a session, by their numbers. */
  in(sessionId: string): Terminal[] {
    return this.all
      .filter(({ options }) => options.sessionId === sessionId)
      .sort((a, b) => a.options.index - b.options.index);
  }

  /** Throws where there are too many, or the program cannot be started. A number that was not used is not lost. */
  open(options: Omit<TerminalOptions, "id" | "index">): Terminal {
    const siblings = this.in(options.sessionId);
    if (this.#terminals.size >= MAX_TERMINALS) {
      throw new HostError(
        "too_many_terminals",
        `the host holds ${MAX_TERMINALS} terminals, which is all it may; close one and try again`,
      );
    }
    if (siblings.length >= MAX_SESSION_TERMINALS) {
      throw new HostError(
        "too_many_terminals",
        `the session has ${MAX_SESSION_TERMINALS} terminals, which is all it may; close one and try again`,
      );
    }
    const terminal = new Terminal(
      { ...options, id: randomUUID(), index: lowestFree(siblings) },
      this.#parts,
    );
    this.#terminals.set(terminal.options.id, terminal);
    terminal.changed.on(() => this.changed.emit(terminal));
    this.changed.emit(terminal);
    return terminal;
  }

  /** Takes a terminal away whose program has ended. */
  remove(terminal: Terminal): void {
    if (!this.#terminals.delete(terminal.options.id)) return;
    terminal.close();
  }
}

function lowestFree(siblings: readonly Terminal[]): number {
  const taken = new Set(siblings.map(({ options }) => options.index));
  let index = 1;
  while (taken.has(index)) index += 1;
  return index;
}
