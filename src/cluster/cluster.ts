import type { NatsConnection } from "@nats-io/transport-node";
import type { InstanceInfo } from "../contract/instances.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import type { HostTopics } from "../topics/host.ts";
import type { Topics } from "../topics/hub.ts";
import { Bus, type BusOptions, type BusSession } from "./bus.ts";
import { wordsOf } from "./bus-fault.ts";
import { type Demand, followDemand } from "./demand.ts";
import { Interests } from "./interest.ts";
import { join, TakenError, takenWords } from "./join.ts";
import { ANSWER_MS, HEARTBEAT_MS } from "./limits.ts";
import type { Refusal } from "./members.ts";
import { Others } from "./others.ts";
import { OwnRows } from "./own-rows.ts";
import type { Ending, Producer } from "./own-topic.ts";

export interface ClusterOptions extends Omit<BusOptions, "instance"> {
  readonly producer: Producer;
  readonly topics: Topics;
  readonly host: Pick<HostTopics, "own" | "instances">;
  /** How this instance is listed. */
  readonly self: InstanceInfo;
  readonly clock: Clock;
}

/** What becomes of it, for whoever logs and counts. */
export interface ClusterEvents {
  /** A connection was made. It outlives outages; what this answers is called when it is over for good. */
  connected(connection: NatsConnection): () => void;
  /** It takes part: others get its rows, and it gets theirs. */
  joined(): void;
  /** It does not, for the reason in words. What it has of others stays and is stated as out of date. */
  left(why: string): void;
  /** It does not and will not, unless somebody does something about it. */
  refused(why: string): void;
  /** Something went wrong that is tried again. */
  failed(why: string): void;
  /** Its credentials do not let it write its rows: it only reads. */
  readsOnly(why: string): void;
  /** It has to be found out whether another publisher of the same instance is alive. */
  waits(): void;
  /** Something of another instance was not taken. */
  rejected(what: Refusal, count: number, why?: string): void;
  /** So many bytes were written. */
  written(bytes: number): void;
}

/** One instance's part in the list of many: it states its rows to the others while they want them, and offers theirs to its
 * own subscribers. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #events: ClusterEvents;
  readonly #bus: Bus;
  readonly #own: OwnRows;
  readonly #others: Others;
  readonly #interests: Interests;
  readonly #unwatch: () => void;
  #session: BusSession | undefined;
  #joining: AbortController | undefined;
  #isTaken = false;
  #heartbeat: Cancel | undefined;

  constructor(options: ClusterOptions, events: ClusterEvents) {
    const { producer, topics, host, self, clock } = options;
    const { instance } = producer;
    this.#options = options;
    this.#events = events;
    this.#own = new OwnRows(
      { producer, topics: host.own, clock },
      {
        collided: (other) => this.#refuse(takenWords(producer, other)),
        missing: (why) => this.#bus.reopen(why),
        failed: (why, mayWrite) => (mayWrite ? events.failed(why) : events.readsOnly(why)),
        written: (bytes) => events.written(bytes),
      },
    );
    this.#others = new Others(
      { instance, clock },
      {
        began: (topic, feed) => topics.add(topic, feed),
        ended: (topic, feed) => topics.withdraw(topic, feed),
        moved: () => topics.changed(),
        listed(others) {
          if (host.instances.publish([self, ...others])) topics.changed();
        },
        refused: (what, count, why) => events.rejected(what, count, why),
        failed: (error) => this.#bus.reopen(wordsOf(error)),
      },
    );
    this.#interests = new Interests(
      { instance, clock },
      {
        changed: (wanted) => this.#own.want(wanted),
        failed: (error) => events.failed(wordsOf(error)),
        ended: (error) => this.#bus.reopen(wordsOf(error)),
      },
    );
    followDemand(topics, {
      changed: (demand) => this.#want(demand),
      fresh: (token) => this.#others.fresh(token),
    });
    this.#unwatch = topics.watch(() => this.#own.changed());
    this.#bus = new Bus(
      { ...options, instance },
      {
        connected: (connection) => events.connected(connection),
        up: (session) => void this.#join(session),
        down: (why) => this.#leave(why),
        refused: (why) => this.#refuse(why),
      },
    );
  }

  /** Says how this instance ends, and takes no part any more. The rows have to be taken back before. */
  async end(ending: Ending): Promise<void> {
    this.#unwatch();
    this.#joining?.abort();
    this.#heartbeat?.();
    if (this.#session !== undefined) {
      this.#others.stop();
      const told = Promise.all([this.#own.end(ending), this.#interests.end()]).catch((error) =>
        this.#events.failed(wordsOf(error)),
      );
      await Promise.race([told, this.#patience()]);
    }
    await Promise.race([this.#bus.stop(), this.#patience()]);
  }

  async #join(session: BusSession): Promise<void> {
    if (this.#isTaken) return;
    const { producer, clock } = this.#options;
    this.#joining?.abort();
    const joining = new AbortController();
    this.#joining = joining;
    const { signal } = joining;
    try {
      const waits = () => this.#events.waits();
      const revision = await join({ session, producer, clock, signal, waits });
      if (!signal.aborted) this.#begin(session, revision);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TakenError) this.#refuse(error.message);
      else this.#bus.reopen(wordsOf(error));
    }
  }

  #begin(session: BusSession, revision: number): void {
    this.#session = session;
    this.#own.open(session, revision);
    this.#interests.open(session);
    this.#others.open(session);
    this.#beatLater();
    this.#events.joined();
  }

  #leave(why: string): void {
    this.#joining?.abort();
    this.#heartbeat?.();
    this.#session = undefined;
    this.#own.close();
    this.#interests.close();
    this.#others.close();
    this.#events.left(why);
  }

  /** Another one has the id, or the bus does not let us in: this host's own subscribers are served all the same. */
  #refuse(why: string): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#leave(why);
    void this.#bus.stop();
    this.#events.refused(why);
  }

  #want(demand: Demand): void {
    this.#interests.want(demand.tokens);
    this.#others.want(demand.isAny ? demand.tokens : undefined);
  }

  #beatLater(): void {
    this.#heartbeat?.();
    this.#heartbeat = this.#options.clock.schedule(HEARTBEAT_MS, () => {
      this.#own.beat();
      if (this.#interests.isAny) this.#interests.renew();
      this.#beatLater();
    });
  }

  #patience(): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.schedule(ANSWER_MS, resolve);
    });
  }
}
