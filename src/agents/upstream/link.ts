import { subscribe } from "../../client/subscribe.ts";
import type { Transport } from "../../client/transport.ts";
import type { Subscription } from "../../client/types.ts";
import type { AgentInfo } from "../../contract/agents.ts";
import type { Fault } from "../../sources/source.ts";
import type { Clock } from "../../time/clock.ts";
import { awayFault, problemFault, refusalFault, STALE } from "./faults.ts";

/** How much the rows of a publisher may take, in bytes: some 10 000 runs. */
const HELD_BYTES = 16 * 1_048_576;

/** How long after the last try a publisher is dialed that did not let us in, or is none, in milliseconds. Somebody may
 * have seen to it. */
const RETRY_MS = 60_000;

export interface LinkOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Who we are. */
  readonly instance: string;
  /** Something may be different. */
  readonly changed: () => void;
}

/** The connection to another publisher, and what it states of its own agents. */
export class UpstreamLink {
  readonly #options: LinkOptions;
  readonly #subscription: Subscription<"agents">;
  #rows: readonly AgentInfo[] | undefined;
  #fault: Fault | undefined;
  /** Since when no more tries are made, in the monotonic clock. Absent while they are. */
  #failedAt: number | undefined;

  constructor(options: LinkOptions) {
    const { transport, clock } = options;
    this.#options = options;
    this.#subscription = subscribe({
      transport,
      topics: ["agents"],
      clock,
      heldBytes: HELD_BYTES,
    });
    this.#subscription.on("status", () => this.#update());
    this.#subscription.on("change", () => this.#update());
    this.#subscription.on("problem", (problem) => this.#update(problemFault(problem)));
  }

  /** The rows that it stated last. Absent as long as it has not. */
  get rows(): readonly AgentInfo[] | undefined {
    return this.#rows;
  }

  /** Why they may be out of date. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  tick(): void {
    const { clock } = this.#options;
    if (this.#failedAt === undefined || clock.monotonic() - this.#failedAt < RETRY_MS) return;
    this.#subscription.wake();
  }

  close(): void {
    this.#subscription.close();
  }

  #update(problem?: Fault): void {
    const { status, publisher } = this.#subscription;
    if (status.state === "closed") return;
    const { clock, instance, changed } = this.#options;
    if (status.state !== "failed") this.#failedAt = undefined;
    else this.#failedAt ??= clock.monotonic();
    if (publisher?.instance === instance) this.#leave();
    else this.#take(problem);
    changed();
  }

  /** A subscriber of our own would keep the observation going for nobody. */
  #leave(): void {
    this.#subscription.close();
    this.#fault = { code: "own_instance", msg: "it is this publisher itself" };
    this.#rows = [];
  }

  #take(problem: Fault | undefined): void {
    const { status, publisher } = this.#subscription;
    const view = this.#subscription.view("agents");
    // What it relays of other instances is about other hosts.
    const own = publisher && view.instances.get(publisher.instance);
    const away = awayFault(status);
    if (away !== undefined) this.#fault = away;
    else if (view.refusal !== undefined) this.#fault = refusalFault(view.refusal);
    else if (own?.stale === false) {
      this.#fault = undefined;
      this.#rows = [...own.rows.values()].filter((row) => row.instance === publisher?.instance);
    } else if (problem !== undefined) this.#fault = problem;
    else if (view.status === "current") this.#fault = STALE;
  }
}
