import {
  type Problem,
  type RowChange,
  type SubscribeOptions,
  type Subscription,
  subscribe,
} from "../../../src/client/index.ts";
import { FakeClock } from "./fake-clock.ts";
import { type Peer, ScriptedTransport } from "./scripted.ts";

type Topic = "terminals" | "agents" | "instances";

/** A subscription to a scripted publisher in held time, with what it told. */
export class Subscriber {
  readonly clock = new FakeClock();
  readonly transport = new ScriptedTransport();
  readonly states: string[] = [];
  readonly problems: Problem[] = [];
  readonly changes: RowChange<Topic>[] = [];
  readonly subscription: Subscription<Topic>;
  /** What the injected randomness gives. */
  random = 0.5;

  constructor(
    topics: readonly Topic[] = ["terminals"],
    options: Partial<SubscribeOptions<Topic>> = {},
  ) {
    const { transport, clock } = this;
    const random = () => this.random;
    this.subscription = subscribe({ transport, topics, clock, random, ...options });
    this.subscription.on("status", ({ state }) => this.states.push(state));
    this.subscription.on("problem", (problem) => this.problems.push(problem));
    this.subscription.on("change", (change) => this.changes.push(change));
  }

  get peer(): Peer {
    return this.transport.peer;
  }

  get state(): string {
    return this.subscription.status.state;
  }

  /** The ids of the terminals held. */
  get ids(): string[] {
    return this.subscription.rows("terminals").map(({ id }) => id);
  }

  isStale(instance: string): boolean | undefined {
    return this.subscription.view("terminals").instances.get(instance)?.stale;
  }

  kinds(): string[] {
    return this.problems.map(({ kind }) => kind);
  }
}
