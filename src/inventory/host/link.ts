import { awayFault, problemFault, STALE } from "../../agents/upstream/faults.ts";
import { subscribe } from "../../client/subscribe.ts";
import type { Transport } from "../../client/transport.ts";
import type { Subscription } from "../../client/types.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import type { Fault } from "../../sources/source.ts";
import type { Clock } from "../../time/clock.ts";

const refused = ({ code, msg }: ErrorBody): Fault => ({
  code,
  msg: `it does not give its terminals (${msg})`,
});

/** How much the rows of a host may take, in bytes: more than its terminals can. */
const HELD_BYTES = 8 * 1_048_576;

export interface HostLinkOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Something may be different. */
  readonly changed: () => void;
}

/** The connection to one host, and what it states of its terminals. */
export class HostLink {
  readonly #options: HostLinkOptions;
  readonly #subscription: Subscription<"terminals">;
  #rows: readonly TerminalInfo[] | undefined;
  #fault: Fault | undefined;

  constructor(options: HostLinkOptions) {
    const { transport, clock } = options;
    this.#options = options;
    this.#subscription = subscribe({
      transport,
      topics: ["terminals"],
      clock,
      heldBytes: HELD_BYTES,
    });
    this.#subscription.on("status", () => this.#update());
    this.#subscription.on("change", () => this.#update());
    this.#subscription.on("problem", (problem) => this.#update(problemFault(problem)));
  }

  /** The rows that it stated last. Absent as long as it has not. */
  get rows(): readonly TerminalInfo[] | undefined {
    return this.#rows;
  }

  /** Why they may be out of date. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Whether it is known that the rows are what the host states now. */
  get isCurrent(): boolean {
    return this.#rows !== undefined && this.#fault === undefined;
  }

  /** Dials at once where it waits to: the host may listen by now. */
  retry(): void {
    const { state } = this.#subscription.status;
    if (state === "disconnected" || state === "failed") this.#subscription.wake();
  }

  close(): void {
    this.#subscription.close();
  }

  #update(problem?: Fault): void {
    const { status, publisher } = this.#subscription;
    if (status.state === "closed") return;
    const view = this.#subscription.view("terminals");
    const own = publisher && view.instances.get(publisher.instance);
    const away = awayFault(status);
    if (away !== undefined) this.#fault = away;
    else if (view.refusal !== undefined) this.#fault = refused(view.refusal);
    else if (own?.stale === false) {
      this.#fault = undefined;
      this.#rows = [...own.rows.values()];
    } else if (problem !== undefined) this.#fault = problem;
    else if (view.status === "current") this.#fault = STALE;
    this.#options.changed();
  }
}
