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

/** A terminal that is being closed. */
interface Closing {
  readonly gone: Promise<void>;
  /** How long its programs get to end by themselves, in milliseconds. */
  readonly patienceMs: number;
}

const patienceOf = ({ hangupMs, terminateMs }: KillPolicy) => hangupMs + terminateMs;

/** Takes terminals away. */
export class Endings {
  readonly #parts: EndingParts;
  readonly #closing = new WeakMap<Terminal, Closing>();

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  /** Ends whatever runs in a terminal, and takes it away. Resolves once it is gone, for all who asked meanwhile: it is
   * ended as the first has asked, unless somebody has less patience. */
  close(terminal: Terminal, policy = GRACEFUL): Promise<void> {
    const under = this.#closing.get(terminal);
    if (under === undefined) {
      const gone = this.#close(terminal, policy);
      this.#closing.set(terminal, { gone, patienceMs: patienceOf(policy) });
      // It is there still, and may be closed once more.
      gone.catch(() => this.#closing.delete(terminal));
      return gone;
    }
    if (patienceOf(policy) < under.patienceMs) {
      this.#closing.set(terminal, { ...under, patienceMs: patienceOf(policy) });
      this.#kill(terminal, policy).catch(() => {});
    }
    return under.gone;
  }

  /** Also where the program itself has ended: what it left in the background is in the terminal still. */
  async #kill(terminal: Terminal, policy: KillPolicy): Promise<void> {
    if (terminal.root.pid > 0) await killTree(terminal.root, this.#parts, policy);
  }

  async #close(terminal: Terminal, policy: KillPolicy): Promise<void> {
    const { clock, terminals } = this.#parts;
    try {
      await this.#kill(terminal, policy);
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
