import type { ProcessTable } from "../processes/types.ts";
import { InOrder } from "./in-order.ts";
import { OtherTerminal } from "./others.ts";
import { PtyTerminal, reachPty } from "./pty.ts";
import type { ActingTerminal, SeenTerminal } from "./terminal.ts";
import { ANSWER_MS } from "./tmux/pane.ts";
import { TmuxTerminal } from "./tmux.ts";

export interface ActingParts {
  readonly table: ProcessTable;
  /** The socket for channels of the host that runs; `undefined` where none does. */
  channel(): Promise<string | undefined>;
  /** How long a tmux server may take, in milliseconds. Default ANSWER_MS. */
  readonly answerMs?: number;
}

/** What can be done with listed terminals. One for a process: what is typed into a terminal keeps its order. */
export class Acting {
  readonly #parts: ActingParts;
  readonly #order = new InOrder();

  constructor(parts: ActingParts) {
    this.#parts = parts;
  }

  /** A terminal that somebody saw in a list, by its scheme. */
  on(seen: SeenTerminal): ActingTerminal {
    const { table, channel, answerMs = ANSWER_MS } = this.#parts;
    if (seen.id.startsWith("pty:")) return new PtyTerminal(reachPty(seen.id, channel));
    if (seen.id.startsWith("tmux:")) {
      return new TmuxTerminal(seen, { table, answerMs, order: this.#order });
    }
    return new OtherTerminal(seen.id);
  }
}
