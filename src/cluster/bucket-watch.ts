import type { KvEntry, KvWatchEntry } from "@nats-io/kv";
import type { QueuedIterator } from "@nats-io/transport-node";
import type { Clock } from "../time/clock.ts";
import type { BusSession } from "./bus.ts";
import { FIRST_READING_MS } from "./limits.ts";
import { placeOf } from "./subjects.ts";

export interface BucketWatchEvents {
  /** Entries one after the other, the newest of each key first and then what changes. `ageMs`: how much older it is than the
   * newest one that the bucket had, by the bucket's own clock. */
  entry(entry: KvEntry, ageMs: number): Promise<void>;
  /** The keys that the bucket had when the watch began. */
  began(keys: ReadonlySet<string>): Promise<void>;
  /** Another entry has been dealt with, or what has not come is not waited for any more. */
  passed(): void;
  /** It has ended without being stopped. */
  failed(error: unknown): void;
}

/** All that is in the bucket, and from then on what changes. The bus's own mark for the end of what there was is not exact:
 * which keys there were is asked for apart, after the watch has begun, so that each of them is one that it tells of. */
export class BucketWatch {
  readonly #session: BusSession;
  readonly #events: BucketWatchEvents;
  #iterator: QueuedIterator<KvWatchEntry> | undefined;
  #isStopped = false;
  #isSettled = false;
  /** The keys that have not come yet; absent before it is known which there are. */
  #expected: Set<string> | undefined;

  constructor(session: BusSession, clock: Clock, events: BucketWatchEvents) {
    this.#session = session;
    this.#events = events;
    // What has not come by then is not waited for: the bucket may have thrown it away.
    clock.schedule(FIRST_READING_MS, () => {
      this.#isSettled = true;
      if (!this.#isStopped) events.passed();
    });
    void this.#run();
  }

  /** Whether everything has come that there was. */
  get isComplete(): boolean {
    return this.#isSettled || this.#expected?.size === 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#iterator?.stop();
  }

  async #run(): Promise<void> {
    try {
      this.#iterator = await this.#session.kv.watch({ key: ">" });
      if (this.#isStopped) this.#iterator.stop();
      else await this.#follow(this.#iterator);
      if (!this.#isStopped) throw new Error("the watch of the bucket has ended");
    } catch (error) {
      if (this.#isStopped) return;
      this.stop();
      this.#events.failed(error);
    }
  }

  async #follow(iterator: QueuedIterator<KvWatchEntry>): Promise<void> {
    const { keys, lastAt } = await this.#session.contents();
    if (this.#isStopped) return;
    // Parts and interests are not waited for.
    this.#expected = new Set(keys.filter((key) => placeOf(key)?.kind === "topic"));
    const began = this.#events.began(new Set(keys));
    this.#events.passed();
    await Promise.all([began, this.#pass(iterator, lastAt)]);
  }

  async #pass(iterator: QueuedIterator<KvWatchEntry>, lastAt: number): Promise<void> {
    for await (const entry of iterator) {
      if (this.#isStopped) return;
      await this.#events.entry(entry, Math.max(0, lastAt - entry.created.getTime()));
      this.#expected?.delete(entry.key);
      this.#events.passed();
    }
  }
}
