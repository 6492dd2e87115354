import { setTimeout as pause } from "node:timers/promises";
import type { TerminalSignal } from "../host/channel/messages.ts";
import type { ProcessTable } from "../processes/types.ts";
import { unsupported } from "./elsewhere.ts";
import { ActingError } from "./failure.ts";
import type { InOrder } from "./in-order.ts";
import type {
  Acted,
  ActingTerminal,
  CapturedText,
  CaptureInput,
  ReadInput,
  ReadText,
  SeenTerminal,
  SendInput,
} from "./terminal.ts";
import { capturePane } from "./tmux/capture.ts";
import { requireNoJob, signalJob } from "./tmux/job.ts";
import { Pane } from "./tmux/pane.ts";
import { submit, typeKeys } from "./tmux/typing.ts";

export interface TmuxParts {
  readonly table: ProcessTable;
  /** One for all panes. */
  readonly order: InOrder;
  /** How long a server may take, in milliseconds. */
  readonly answerMs: number;
}

/** A pane of tmux. Its user's tmux stays as it is: no client that could be seen, no option, no size, and a buffer only while
 * one command is done that pastes. */
export class TmuxTerminal implements ActingTerminal {
  readonly #seen: SeenTerminal;
  readonly #parts: TmuxParts;

  constructor(seen: SeenTerminal, parts: TmuxParts) {
    this.#seen = seen;
    this.#parts = parts;
  }

  async send(input: SendInput): Promise<Acted> {
    const pane = this.#pane();
    const units = input.keys.reduce((sum, { length }) => sum + length, 0);
    const { tty } = this.#seen;
    await this.#parts.order.run(this.#seen.id, units, () =>
      input.submit === true ? submit(pane, input, tty, pause) : typeKeys(pane, input, tty),
    );
    return {};
  }

  /** tmux keeps what a pane shows, and no output. */
  async read({ from, wait }: ReadInput): Promise<ReadText> {
    if (from !== undefined || wait !== undefined) {
      const what = wait === undefined ? "read from an offset" : "waited for";
      throw new ActingError(
        "unsupported",
        `${this.#seen.id} cannot be ${what}: tmux keeps what a pane shows, not its output; read it again, or open the terminal with termtopic`,
      );
    }
    return this.capture({});
  }

  async capture(input: CaptureInput): Promise<CapturedText> {
    return { text: await capturePane(this.#pane(), input) };
  }

  async signal(signal: TerminalSignal): Promise<Acted> {
    await signalJob(this.#pane(), signal, this.#parts.table);
    return {};
  }

  async close({ force = false }: { readonly force?: boolean }): Promise<Acted> {
    const pane = this.#pane();
    if (!force) await requireNoJob(pane, this.#parts.table);
    await pane.run({ need: "there", commands: [`kill-pane -t ${pane.target}`] });
    return {};
  }

  async resize(): Promise<Acted> {
    throw unsupported(this.#seen.id, "resize");
  }

  async rename(): Promise<Acted> {
    throw unsupported(this.#seen.id, "rename");
  }

  #pane(): Pane {
    const { table, answerMs } = this.#parts;
    return new Pane(this.#seen, table, answerMs);
  }
}
