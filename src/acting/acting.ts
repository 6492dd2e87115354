import type { ProcessTable } from "../processes/types.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { InOrder } from "./in-order.ts";
import { KeptHost } from "./kept-host.ts";
import { OtherTerminal } from "./others.ts";
import { PtyReach, PtyTerminal } from "./pty.ts";
import type { ActingTerminal, SeenTerminal } from "./terminal.ts";
import { ANSWER_MS } from "./tmux/pane.ts";
import { TmuxTerminal } from "./tmux.ts";
import { openTmuxView } from "./views/tmux/open.ts";
import type { OpenView } from "./views/view.ts";

export interface ActingParts {
  readonly table: ProcessTable;
  /** The socket for channels of the host that runs; `undefined` where none does. */
  channel(): Promise<string | undefined>;
  /** How long a tmux server may take, in milliseconds. Default ANSWER_MS. */
  readonly answerMs?: number;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
}

/** What can be done with listed terminals. One for a process: what is typed into a terminal keeps its order. */
export class Acting {
  readonly #parts: ActingParts;
  readonly #order = new InOrder();
  readonly #ptys: PtyReach;
  /** Looks at panes of tmux; what is typed there keeps its order with all else. */
  readonly openTmuxView: OpenView;

  constructor(parts: ActingParts) {
    this.#parts = parts;
    const { clock = systemClock, channel } = parts;
    this.openTmuxView = openTmuxView({ ...parts, clock, order: this.#order });
    this.#ptys = new PtyReach(new KeptHost({ clock, channel }));
  }

  /** A terminal that somebody saw in a list, by its scheme. */
  on(seen: SeenTerminal): ActingTerminal {
    const { table, answerMs = ANSWER_MS } = this.#parts;
    if (seen.id.startsWith("pty:")) return new PtyTerminal(this.#ptys.of(seen.id));
    if (seen.id.startsWith("tmux:")) {
      return new TmuxTerminal(seen, { table, answerMs, order: this.#order });
    }
    return new OtherTerminal(seen.id);
  }
}
