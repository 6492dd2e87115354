import type { TerminalInfo } from "../../../contract/terminals.ts";
import { reasonOf } from "../../../files/reason.ts";
import type { Clock } from "../../../time/clock.ts";
import { ActingError } from "../../failure.ts";
import type { Pane } from "../../tmux/pane.ts";
import { type TmuxParts, TmuxTerminal } from "../../tmux.ts";
import type { Looker, View } from "../view.ts";
import type { Follower } from "./follower.ts";
import { Sight } from "./sight.ts";
import { Typist } from "./typist.ts";

export interface TmuxViewOptions extends TmuxParts {
  readonly row: TerminalInfo;
  readonly looker: Looker;
  readonly pane: Pane;
  readonly clock: Clock;
}

/** One looker at a pane. */
export class TmuxView implements View {
  readonly #options: TmuxViewOptions;
  readonly #sight: Sight;
  readonly #typist: Typist;
  #follower: Follower | undefined;

  constructor(options: TmuxViewOptions) {
    const { row, looker, pane, order, clock } = options;
    this.#options = options;
    this.#sight = new Sight({ row, looker, clock, ended: () => this.leave() });
    this.#typist = new Typist({
      pane,
      order,
      tty: row.tty,
      typed: () => this.#follower?.typed(),
      refused: (why) => this.#refuse(why),
    });
  }

  /** Resolves once it shows the pane. */
  async begin(follower: Follower, signal: AbortSignal): Promise<void> {
    this.#follower = follower;
    const scene = await follower.join(this.#sight);
    if (signal.aborted) {
      this.leave();
      throw signal.reason;
    }
    if (this.#sight.isOver) throw new ActingError("gone", "the pane is gone");
    this.#sight.attach(scene);
  }

  type(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#sight.isOver) return undefined;
    if (!this.#options.looker.readOnly) return this.#typist.type(bytes);
    this.#refuse("this view may look at the terminal and not type into it");
    return undefined;
  }

  resize(): void {
    this.#refuse(
      "the size of a pane of tmux is what its own clients make it; a look at it from here changes nothing for them",
    );
  }

  shown(bytes: number): void {
    if (this.#sight.isOver) return;
    this.#sight.acknowledge(bytes);
    this.#follower?.wake();
  }

  /** Programs in a pane ask tmux, which answers for itself. */
  theme(): void {}

  close(force: boolean): void {
    if (this.#sight.isOver) return;
    if (this.#options.looker.readOnly) {
      this.#refuse("this view may look at the terminal and not close it");
      return;
    }
    void this.#close(force);
  }

  leave(): void {
    this.#sight.leave();
    this.#typist.end();
    this.#follower?.leave(this.#sight);
    this.#follower = undefined;
  }

  async #close(force: boolean): Promise<void> {
    const { row, looker } = this.#options;
    try {
      await new TmuxTerminal(row, this.#options).close({ force });
      this.#follower?.lookNow();
    } catch (error) {
      if (this.#sight.isOver) return;
      if (!(error instanceof ActingError && error.reason === "busy")) {
        this.#refuse(reasonOf(error));
        return;
      }
      const named = error.program === undefined ? {} : { program: error.program };
      looker.event({ type: "busy", terminalId: row.id, ...named });
    }
  }

  #refuse(message: string): void {
    if (!this.#sight.isOver) this.#options.looker.event({ type: "error", message });
  }
}
