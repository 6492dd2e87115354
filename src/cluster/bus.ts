import { type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import {
  type Authenticator,
  connect,
  type NatsConnection,
  type TlsOptions,
} from "@nats-io/transport-node";
import type { Cancel, Clock } from "../time/clock.ts";
import { isForbidden, isUnauthorised, wordsOf } from "./bus-fault.ts";
import { ANSWER_MS, HEARTBEAT_MS, HISTORY, MAX_AGE_MS, MAX_RETRY_MS, RETRY_MS } from "./limits.ts";
import { inboxPrefix } from "./subjects.ts";

export interface BusOptions {
  readonly servers: readonly string[];
  readonly authenticator?: Authenticator;
  readonly tls?: TlsOptions;
  readonly bucket: string;
  readonly instance: string;
  readonly clock: Clock;
}

/** The bucket, as long as the connection to it holds. */
export interface BusSession {
  readonly connection: NatsConnection;
  readonly kv: KV;
  /** The keys that the bucket has, those among them that were deleted lately, and when it was last written to by its own
   * clock, in milliseconds since 1970. */
  contents(): Promise<{ readonly keys: readonly string[]; readonly lastAt: number }>;
}

export interface BusEvents {
  /** A connection was made. It outlives outages; what it resolves to is called when it is over. */
  connected(connection: NatsConnection): () => void;
  /** The bucket can be used, anew. */
  up(session: BusSession): void;
  /** It cannot, for the reason in words. Told once for each outage. */
  down(why: string): void;
  /** The bus lets us in with these credentials neither now nor, unless they are changed, later. Told before the first `up`
   * only. */
  refused(why: string): void;
}

/** The way to the bucket. It is kept: what ends is begun again, for as long as that takes. */
export class Bus {
  readonly #options: BusOptions;
  readonly #events: BusEvents;
  #connection: NatsConnection | undefined;
  #isStopped = false;
  #isUp = false;
  #wasUp = false;
  #isTold = false;
  /** Grows with each attempt to open the bucket: of several the latest counts. */
  #attempt = 0;
  #retryMs = RETRY_MS;
  #retry: Cancel | undefined;

  constructor(options: BusOptions, events: BusEvents) {
    this.#options = options;
    this.#events = events;
    void this.#connect();
  }

  /** The bucket turned out not to be there although the connection holds. */
  reopen(why: string): void {
    this.#fall(why);
    this.#again(() => this.#open());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#attempt += 1;
    this.#retry?.();
    await this.#connection?.close();
  }

  async #connect(): Promise<void> {
    const { servers, authenticator, tls, instance } = this.#options;
    try {
      const connection = await connect({
        servers: [...servers],
        name: `termtopic ${instance}`,
        inboxPrefix: inboxPrefix(instance),
        timeout: ANSWER_MS,
        // Credentials may be changed under way, and a server may be restarted at any time.
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        reconnectDelayHandler: () => RETRY_MS * (0.5 + Math.random()),
        pingInterval: HEARTBEAT_MS,
        maxPingOut: 2,
        ...(authenticator === undefined ? {} : { authenticator }),
        ...(tls === undefined ? {} : { tls }),
      });
      if (this.#isStopped) return void connection.close();
      this.#connection = connection;
      const over = this.#events.connected(connection);
      void this.#follow(connection);
      void connection.closed().then(() => this.#closed(over));
      await this.#open();
    } catch (error) {
      if (this.#isStopped) return;
      if (isUnauthorised(error) && !this.#wasUp) this.#events.refused(wordsOf(error));
      this.#fall(wordsOf(error));
      this.#again(() => this.#connect());
    }
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") this.#fall("the connection to it is lost");
      if (status.type === "reconnect") void this.#open();
    }
  }

  #closed(over: () => void): void {
    over();
    this.#connection = undefined;
    if (this.#isStopped) return;
    this.#fall("the connection to it was closed");
    this.#again(() => this.#connect());
  }

  async #open(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#isStopped) return;
    this.#attempt += 1;
    const attempt = this.#attempt;
    const isLate = () => attempt !== this.#attempt;
    try {
      const session = await openBucket(connection, this.#options.bucket);
      if (isLate()) return;
      this.#retryMs = RETRY_MS;
      this.#isUp = true;
      this.#wasUp = true;
      this.#isTold = false;
      this.#events.up(session);
    } catch (error) {
      if (isLate() || this.#isStopped) return;
      if (isForbidden(error) && !this.#wasUp) this.#events.refused(wordsOf(error));
      this.#fall(wordsOf(error));
      this.#again(() => this.#open());
    }
  }

  #fall(why: string): void {
    this.#attempt += 1;
    this.#isUp = false;
    if (this.#isTold || this.#isStopped) return;
    this.#isTold = true;
    this.#events.down(why);
  }

  #again(task: () => Promise<void>): void {
    if (this.#isStopped) return;
    this.#retry?.();
    this.#retry = this.#options.clock.schedule(this.#retryMs, () => {
      this.#retry = undefined;
      if (!this.#isUp) void task();
    });
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
  }
}

async function openBucket(connection: NatsConnection, bucket: string): Promise<BusSession> {
  // A question to a bucket that another instance is just making may be left unanswered.
  const kv = await new Kvm(jetstream(connection, { timeout: ANSWER_MS })).create(bucket, {
    history: HISTORY,
    ttl: MAX_AGE_MS,
    timeout: ANSWER_MS,
    description: "What termtopic publishers share",
  });
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
  return { connection, kv, contents: () => contentsOf(manager, bucket) };
}

async function contentsOf(manager: JetStreamManager, bucket: string) {
  const prefix = `$KV.${bucket}.`;
  const { state } = await manager.streams.info(`KV_${bucket}`, { subjects_filter: `${prefix}>` });
  return {
    keys: Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length)),
    lastAt: Date.parse(state.last_ts),
  };
}
