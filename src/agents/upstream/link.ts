import { subscribe } from "../../client/subscribe.ts";
import type { Transport } from "../../client/transport.ts";
import type { RowChange, Subscription } from "../../client/types.ts";
import type { AgentInfo } from "../../contract/agents.ts";
import type { TopicFrame } from "../../contract/envelope.ts";
import type { Fault } from "../../sources/source.ts";
import type { Clock } from "../../time/clock.ts";
import { awayFault, isRead, problemFault, refusalFault, STALE, STOPPED, UNREAD } from "./faults.ts";
import { LeftRows } from "./left.ts";

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
  /** Whether the process of a row is known to live. */
  readonly lives: (pid: number) => boolean;
  /** Something may be different. */
  readonly changed: () => void;
}

/** The connection to another publisher, and what it states of its own agents. */
export class UpstreamLink {
  readonly #options: LinkOptions;
  readonly #subscription: Subscription<"agents">;
  readonly #left: LeftRows;
  #rows: readonly AgentInfo[] | undefined;
  #fault: Fault | undefined;
  /** Since when no more tries are made, in the monotonic clock. Absent while they are. */
  #failedAt: number | undefined;

  constructor(options: LinkOptions) {
    const { transport, clock, lives } = options;
    this.#options = options;
    this.#left = new LeftRows({ clock, lives, changed: () => this.#update() });
    this.#subscription = subscribe({
      transport,
      topics: ["agents"],
      clock,
      heldBytes: HELD_BYTES,
    });
    this.#subscription.on("status", () => this.#update());
    this.#subscription.on("frame", (frame) => this.#note(frame));
    this.#subscription.on("change", (change) => this.#changed(change));
    this.#subscription.on("problem", (problem) => this.#update(problemFault(problem)));
  }

  /** The rows that it stated last, and those that it has left behind. Absent as long as there were none. */
  get rows(): readonly AgentInfo[] | undefined {
    return this.#rows;
  }

  /** Whether it has left some behind. */
  get hasLeft(): boolean {
    return this.#left.rows().length > 0;
  }

  /** Why they may be out of date. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  tick(): void {
    this.#left.look();
    const { clock } = this.#options;
    if (this.#failedAt === undefined || clock.monotonic() - this.#failedAt < RETRY_MS) return;
    this.#subscription.wake();
  }

  close(): void {
    this.#left.stop();
    this.#subscription.close();
  }

  #note(frame: TopicFrame): void {
    if (frame.instance === this.#subscription.publisher?.instance) this.#left.note(frame);
  }

  #changed(change: RowChange<"agents">): void {
    if (change.instance === this.#subscription.publisher?.instance) this.#left.take(change);
    this.#update();
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
    this.close();
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
    if (status.state === "disconnected" || status.state === "failed") this.#left.keep();
    if (away !== undefined) return;
    if (view.refusal !== undefined) this.#fault = refusalFault(view.refusal);
    else if (own?.stale === false) {
      const isWhole = (own.sources ?? []).every(isRead);
      if (isWhole && !this.#left.isStopping) this.#left.settle();
      const stated = [...own.rows.values()].filter((row) => row.instance === publisher?.instance);
      const left = this.#left.rows();
      this.#rows = [...stated, ...left];
      this.#fault = this.#left.isStopping ? STOPPED : undefined;
      if (!isWhole && left.length > 0) this.#fault ??= UNREAD;
    } else if (problem !== undefined) this.#fault = problem;
    else if (view.status === "current") this.#fault = STALE;
  }
}
