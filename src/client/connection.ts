import type { ErrorBody } from "../contract/errors.ts";
import type { HelloResult } from "../contract/hello.ts";
import { BACKOFF_CAP_MS, Backoff } from "./backoff.ts";
import type { Cancel, Clock } from "./clock.ts";
import { SubscriptionError } from "./failure.ts";
import { Liveness } from "./liveness.ts";
import { Session, type SessionEnd } from "./session.ts";
import type { Status } from "./status.ts";
import type { Transport } from "./transport.ts";

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly reconnect: boolean;
  readonly clientVersion: string | undefined;
}

export interface ConnectionEvents {
  /** Told after `status` has changed. */
  status(status: Status): void;
  /** Requests may be made of this session until `ended`. */
  greeted(session: Session, publisher: HelloResult): void;
  frame(topic: string, frame: object): void;
  unreadable(message: string, error?: ErrorBody): void;
  /** A greeted session is over. Told before the status changes. */
  ended(): void;
}

/** Keeps a session: dials, dials again with backoff when it ends, and knows how it stands. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #backoff: Backoff;
  readonly #unWake: Cancel | undefined;
  #status: Status = { state: "connecting" };
  #session: Session | undefined;
  #liveness: Liveness | undefined;
  #greetedAt = 0;
  #retry: Cancel | undefined;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#backoff = new Backoff(options.random);
    this.#unWake = options.transport.onWake?.(() => this.wake());
    this.#dial();
  }

  get status(): Status {
    return this.#status;
  }

  /** A frame that fits its schema has arrived. */
  heard(keepsChain: boolean): void {
    this.#liveness?.heard(keepsChain);
  }

  wake(): void {
    const { state } = this.#status;
    if (state === "live" || state === "stale") this.#liveness?.probe();
    if (state !== "disconnected" && state !== "failed") return;
    this.#backoff.reset();
    this.#dial();
  }

  /** Ends it for good: the publisher asks for more than can be given. */
  fail(error: SubscriptionError): void {
    this.#session?.close();
    this.#ended({ error, isPermanent: true, isRestart: false });
  }

  close(): void {
    if (this.#status.state === "closed") return;
    this.#unWake?.();
    this.#session?.close();
    this.#release();
    this.#become({ state: "closed" });
  }

  #dial(): void {
    this.#retry?.();
    this.#retry = undefined;
    this.#become({ state: "connecting" });
    if (this.#status.state !== "connecting") return;
    try {
      this.#session = new Session(this.#options, {
        greeted: (publisher) => this.#greeted(publisher),
        frame: (topic, frame) => this.#events.frame(topic, frame),
        unreadable: (message, error) => this.#events.unreadable(message, error),
        ended: (end) => this.#ended(end),
      });
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const error = new SubscriptionError("refused", message, cause);
      // Later, as everything else that a transport tells: whoever subscribes listens only afterwards.
      this.#retry = this.#options.clock.schedule(0, () =>
        this.#ended({ error, isPermanent: true, isRestart: false }),
      );
    }
  }

  #greeted(publisher: HelloResult): void {
    const session = this.#session;
    if (session === undefined) return;
    const { clock } = this.#options;
    this.#greetedAt = clock.monotonic();
    this.#liveness = new Liveness(clock, {
      ping: (withinMs, answered) =>
        session.request("instance.ping", {}, withinMs, ({ outcome }) =>
          answered(outcome !== "unanswered"),
        ),
      stale: () => this.#become({ state: "stale" }),
      live: () => this.#become({ state: "live" }),
      dead: () => session.drop("silent", "the publisher does not answer"),
    });
    this.#events.greeted(session, publisher);
    this.#become({ state: "live" });
  }

  #ended({ error, isPermanent, isRestart }: SessionEnd): void {
    const { clock, reconnect } = this.#options;
    const lasted = clock.monotonic() - this.#greetedAt;
    const wasGreeted = this.#session?.isGreeted === true;
    // A connection that ends right after its greeting is no better than none.
    if (isRestart || (wasGreeted && lasted >= BACKOFF_CAP_MS)) this.#backoff.reset();
    this.#release();
    if (isPermanent || !reconnect) {
      this.#become({ state: "failed", error });
      return;
    }
    const retryMs = this.#backoff.next();
    this.#retry = clock.schedule(retryMs, () => this.#dial());
    this.#become({ state: "disconnected", retryMs, error });
  }

  #release(): void {
    const wasGreeted = this.#session?.isGreeted === true;
    this.#session = undefined;
    this.#liveness?.stop();
    this.#liveness = undefined;
    this.#retry?.();
    this.#retry = undefined;
    if (wasGreeted) this.#events.ended();
  }

  #become(status: Status): void {
    if (this.#status.state === status.state && status.state === "connecting") return;
    this.#status = status;
    this.#events.status(status);
  }
}
