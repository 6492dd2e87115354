import { randomUUID } from "node:crypto";
import { type Begun, partsOver } from "./begun.ts";
import { HostError } from "./failure.ts";
import { Signal } from "./signal.ts";
import { Terminal } from "./terminal.ts";
import type { TerminalLimits } from "./terminal-limits.ts";
import type { TerminalOptions, TerminalParts } from "./terminal-options.ts";

/** How much of the output that an earlier host has shown a screen is fed, in bytes: more would leave nothing on the screen and in
 * its history, and hold clients up who wait for the host. */
const SCREEN_BYTES = 512 * 1024;

/** All terminals of a host. */
export class Terminals {
  /** A terminal was opened or closed, or something is said of one that differs. */
  readonly changed = new Signal<Terminal>();
  readonly #parts: TerminalParts;
  readonly #limits: TerminalLimits;
  readonly #terminals = new Map<string, Terminal>();

  constructor(parts: TerminalParts, limits: TerminalLimits) {
    this.#parts = parts;
    this.#limits = limits;
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

  /** `begun`: the program, where somebody else keeps it. Throws where there are too many, or the program cannot be started. A
   * number that was not used is not lost. */
  open(
    options: Omit<TerminalOptions, "id" | "index"> & { readonly id?: string },
    begun?: Begun,
  ): Terminal {
    this.requireRoom(options.sessionId);
    const id = options.id ?? randomUUID();
    return this.#add({ ...options, id, index: lowestFree(this.in(options.sessionId)) }, begun);
  }

  /** Takes over a terminal that an earlier host has begun, also beyond the limits. Where its number is taken it gets
   * another. */
  adopt(options: TerminalOptions, begun: Begun): Terminal {
    const siblings = this.in(options.sessionId);
    const isTaken = siblings.some(({ options: { index } }) => index === options.index);
    return this.#add(isTaken ? { ...options, index: lowestFree(siblings) } : options, begun);
  }

  /** Throws where there are as many as there may be. */
  requireRoom(sessionId: string): void {
    const { host, session } = this.#limits;
    if (this.#terminals.size >= host) {
      throw new HostError(
        "too_many_terminals",
        `the host holds as many terminals as it may, ${host}; close one and try again, or start the host with a higher --max-terminals`,
      );
    }
    if (this.in(sessionId).length >= session) {
      throw new HostError(
        "too_many_terminals",
        `the session has as many terminals as it may, ${session}; close one and try again, or start the host with a higher --max-session-terminals`,
      );
    }
  }

  #add(options: TerminalOptions, begun: Begun | undefined): Terminal {
    const terminal =
      begun === undefined ? new Terminal(options, this.#parts) : over(begun, options, this.#parts);
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

function over(begun: Begun, options: TerminalOptions, parts: TerminalParts): Terminal {
  const { start } = begun;
  const { primer = "", end = 0 } = options.adopted ?? {};
  const from = Math.max(start, end - SCREEN_BYTES);
  // From the very beginning on, the output itself puts it into every state.
  const primerAt = (offset: number) => Buffer.from(offset === 0 ? "" : primer);
  const over = partsOver(begun, parts, { primer: primerAt(from), from });
  return new Terminal(options, over, { start, primer: primerAt(start) });
}

function lowestFree(siblings: readonly Terminal[]): number {
  const taken = new Set(siblings.map(({ options }) => options.index));
  let index = 1;
  while (taken.has(index)) index += 1;
  return index;
}
