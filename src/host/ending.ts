import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { GRACEFUL, type KillPolicy, killTree } from "./pty/kill-tree.ts";
import type { Terminal } from "./terminal.ts";
import type { Terminals } from "./terminals.ts";

/** How long after the last signal the end of a terminal's program is waited for, in milliseconds. */
const END_MS = 2_000;

export interface EndingParts {
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly terminals: Terminals;
}

/** Takes terminals away. */
export class Endings {
  readonly #parts: EndingParts;
  readonly #closing = new WeakMap<Terminal, Promise<void>>();

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  /** Ends whatever runs in a terminal, and takes it away. Resolves once it is gone, for all who asked meanwhile: how it
   * is ended is up to the first. */
  close(terminal: Terminal, policy = GRACEFUL): Promise<void> {
    const under = this.#closing.get(terminal) ?? this.#close(terminal, policy);
    this.#closing.set(terminal, under);
    // It is there still, and may be closed once more.
    under.catch(() => this.#closing.delete(terminal));
    return under;
  }

  async #close(terminal: Terminal, policy: KillPolicy): Promise<void> {
    const { clock, table, terminals } = this.#parts;
    try {
      // Also where the program itself has ended: what it left in the background is in the terminal still.
      if (terminal.root.pid > 0) await killTree(terminal.root, { table, clock }, policy);
      await untilEnded(terminal, clock);
    } finally {
      await terminal.discard();
      terminals.remove(terminal);
    }
  }
}

/** Resolves once all output of its program is there, or that takes too long. */
function untilEnded(terminal: Terminal, clock: Clock): Promise<void> {
  if (terminal.state !== "running") return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      unlisten();
      resolve();
    };
    const cancel = clock.schedule(END_MS, done);
    const unlisten = terminal.changed.on(() => {
      if (terminal.state !== "running") done();
    });
  });
}
