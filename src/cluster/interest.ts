import type { KvWatchEntry } from "@nats-io/kv";
import type { QueuedIterator } from "@nats-io/transport-node";
import { type Static, Type } from "@sinclair/typebox";
import { isValid } from "../contract/validation.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import type { BusSession } from "./bus.ts";
import { ANSWER_MS, LEASE_MS } from "./limits.ts";
import {
  EVERY_INTEREST,
  interestKey,
  placeOf,
  SHARED_TOPICS,
  TOPIC_TOKENS,
  type TopicToken,
} from "./subjects.ts";

/** What the subscribers of one instance want of all others: topics by their full names. Names that are not known are passed
 * over. */
const Interest = Type.Object({ topics: Type.Array(Type.String(), { maxItems: 64 }) });
type Interest = Static<typeof Interest>;

export interface InterestOptions {
  readonly instance: string;
  readonly clock: Clock;
}

export interface InterestEvents {
  /** What others want of this instance is something else now. */
  changed(wanted: ReadonlySet<TopicToken>): void;
  /** What is wanted here could not be told. It is told again with the next renewal. */
  failed(error: unknown): void;
  /** Others are not heard any more. */
  ended(error: unknown): void;
}

interface Other {
  readonly tokens: readonly TopicToken[];
  /** Until when it counts unless it is renewed, by the monotonic clock. */
  readonly until: number;
}

/** Who wants to know what: this instance tells what its subscribers want, and hears what those of others do. */
export class Interests {
  readonly #options: InterestOptions;
  readonly #events: InterestEvents;
  readonly #others = new Map<string, Other>();
  #own: ReadonlySet<TopicToken> = new Set();
  #session: BusSession | undefined;
  #watch: QueuedIterator<KvWatchEntry> | undefined;
  #lapse: Cancel | undefined;
  #wanted = "";

  constructor(options: InterestOptions, events: InterestEvents) {
    this.#options = options;
    this.#events = events;
  }

  open(session: BusSession): void {
    this.#session = session;
    void this.#follow(session);
    if (this.#own.size > 0) this.renew();
  }

  close(): void {
    this.#session = undefined;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  /** What the subscribers of this instance want. */
  want(own: ReadonlySet<TopicToken>): void {
    this.#own = new Set(own);
    this.renew();
  }

  /** Says again what they want: the bus is told nothing while that is nothing. */
  renew(): void {
    if (this.#session === undefined) return;
    void this.#tell(this.#session).catch((error) => this.#events.failed(error));
  }

  get isAny(): boolean {
    return this.#own.size > 0;
  }

  async end(): Promise<void> {
    const session = this.#session;
    this.close();
    this.#lapse?.();
    if (session !== undefined && this.isAny) await session.kv.delete(this.#key);
  }

  async #tell({ kv }: BusSession): Promise<void> {
    if (!this.isAny) {
      await kv.delete(this.#key);
      return;
    }
    const interest: Interest = { topics: [...this.#own].map((token) => SHARED_TOPICS[token]) };
    await kv.put(this.#key, JSON.stringify(interest), { timeout: ANSWER_MS });
  }

  get #key(): string {
    return interestKey(this.#options.instance);
  }

  async #follow(session: BusSession): Promise<void> {
    try {
      const watch = await session.kv.watch({ key: EVERY_INTEREST });
      if (this.#session !== session) {
        watch.stop();
        return;
      }
      this.#watch = watch;
      for await (const entry of watch) this.#take(entry);
      if (this.#session === session) throw new Error("the watch of interests has ended");
    } catch (error) {
      if (this.#session === session) this.#events.ended(error);
    }
  }

  #take(entry: KvWatchEntry): void {
    const instance = placeOf(entry.key)?.instance;
    if (instance === undefined || instance === this.#options.instance) return;
    const tokens = entry.operation === "PUT" ? tokensIn(entry) : [];
    if (tokens.length === 0) this.#others.delete(instance);
    else this.#others.set(instance, { tokens, until: this.#now() + LEASE_MS });
    this.#update();
  }

  #update(): void {
    const now = this.#now();
    const wanted = new Set<TopicToken>();
    let next = Number.POSITIVE_INFINITY;
    for (const [instance, { tokens, until }] of this.#others) {
      if (until <= now) {
        this.#others.delete(instance);
        continue;
      }
      next = Math.min(next, until);
      for (const token of tokens) wanted.add(token);
    }
    this.#lapse?.();
    this.#lapse =
      this.#others.size === 0
        ? undefined
        : this.#options.clock.schedule(Math.ceil(next - now), () => this.#update());
    const told = [...wanted].sort().join(" ");
    if (told === this.#wanted) return;
    this.#wanted = told;
    this.#events.changed(wanted);
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}

function tokensIn(entry: KvWatchEntry): TopicToken[] {
  let interest: unknown;
  try {
    interest = entry.json();
  } catch {
    return [];
  }
  if (!isValid(Interest, interest)) return [];
  return TOPIC_TOKENS.filter((token) => interest.topics.includes(SHARED_TOPICS[token]));
}
