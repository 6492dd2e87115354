import type { KvEntry } from "@nats-io/kv";
import type { Cancel, Clock } from "../time/clock.ts";
import type { OwnTopic } from "../topics/own-topic.ts";
import type { BusSession } from "./bus.ts";
import { isConflict, isForbidden, isMissing, wordsOf } from "./bus-fault.ts";
import { ANSWER_MS, RETRY_MS, WRITE_PERIOD_MS } from "./limits.ts";
import { type Ending, type Producer, SharedTopic } from "./own-topic.ts";
import { cut } from "./parts.ts";
import { partKey, TOPIC_TOKENS, type TopicToken, topicKey } from "./subjects.ts";
import { decodeValue, type Value } from "./value.ts";
import { isOf } from "./writer.ts";

export interface OwnRowsOptions {
  readonly producer: Producer;
  readonly topics: readonly OwnTopic[];
  readonly clock: Clock;
}

export interface OwnRowsEvents {
  /** Another publisher writes the rows of this instance: what it wrote, where that can be read. */
  collided(other: Value | undefined): void;
  /** There is no bucket to write to any more. */
  missing(why: string): void;
  /** A write failed, for the reason in words; the next one tries again. `mayWrite`: false where it never will with these
   * credentials. */
  failed(why: string, mayWrite: boolean): void;
  written(bytes: number): void;
}

/** States this host's rows to the others: what changed at once, and then at most every WRITE_PERIOD_MS. Each write expects to
 * find the one before it, so that two publishers of one instance cannot both go on. */
export class OwnRows {
  readonly #options: OwnRowsOptions;
  readonly #events: OwnRowsEvents;
  readonly #topics: readonly SharedTopic[];
  readonly #revisions = new Map<TopicToken, number>();
  #session: BusSession | undefined;
  #isBeat = false;
  #isWriting = false;
  #isForbidden = false;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writes = 0;
  #due: Cancel | undefined;

  constructor(options: OwnRowsOptions, events: OwnRowsEvents) {
    this.#options = options;
    this.#events = events;
    this.#topics = TOPIC_TOKENS.map((token) => new SharedTopic(token, options.topics));
  }

  /** Begins to write. `revision`: where the key of the terminals stands. */
  open(session: BusSession, revision: number): void {
    this.#session = session;
    this.#isForbidden = false;
    this.#revisions.clear();
    this.#revisions.set("terminals", revision);
    for (const topic of this.#topics) topic.forget();
    this.beat();
  }

  close(): void {
    this.#session = undefined;
    this.#due?.();
    this.#due = undefined;
  }

  /** What others want to know of this host. */
  want(tokens: ReadonlySet<TopicToken>): void {
    for (const topic of this.#topics) topic.want(tokens.has(topic.token));
    this.#wake();
  }

  /** Feeds have moved. */
  changed(): void {
    for (const topic of this.#topics) topic.look();
    this.#wake();
  }

  /** Says that this instance is there, changed or not. */
  beat(): void {
    this.#isBeat = true;
    this.#wake();
  }

  /** Says how this instance ends. What nobody is to find any more is deleted. */
  async end(ending: Ending): Promise<void> {
    const session = this.#session;
    this.close();
    if (session === undefined || this.#isForbidden) return;
    for (const topic of this.#topics) {
      topic.look();
      const isTerminals = topic.token === "terminals";
      if (isTerminals) await this.#put(session, topic, ending);
      if (ending === "stopped" && this.#revisions.has(topic.token)) {
        await session.kv.delete(topicKey(this.#options.producer.instance, topic.token));
      }
    }
    for (const topic of this.#topics) topic.want(false);
  }

  #wake(): void {
    if (this.#session === undefined || this.#isWriting || this.#isForbidden) return;
    if (this.#due !== undefined || !this.#hasNews()) return;
    const { clock } = this.#options;
    const wait = this.#writtenAt + WRITE_PERIOD_MS - clock.monotonic();
    if (wait <= 0) {
      void this.#write();
      return;
    }
    this.#due = clock.schedule(Math.ceil(wait), () => {
      this.#due = undefined;
      void this.#write();
    });
  }

  #hasNews(): boolean {
    return this.#isBeat || this.#topics.some((topic) => this.#isNews(topic));
  }

  async #write(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#isWriting = true;
    this.#writtenAt = this.#options.clock.monotonic();
    try {
      for (const topic of this.#topics) {
        const isBeat = topic.token === "terminals" && this.#isBeat;
        if (!isBeat && !this.#isNews(topic)) continue;
        if (isBeat) this.#isBeat = false;
        await this.#put(session, topic);
        if (this.#session !== session) return;
      }
    } catch (error) {
      if (this.#session === session) this.#failed(error);
    } finally {
      this.#isWriting = false;
      this.#wake();
    }
  }

  /** What was never wanted needs no key. */
  #isNews(topic: SharedTopic): boolean {
    return topic.isNews && (topic.isWanted || this.#revisions.has(topic.token));
  }

  async #put(session: BusSession, topic: SharedTopic, ending?: Ending): Promise<void> {
    const { producer } = this.#options;
    const { token } = topic;
    const key = topicKey(producer.instance, token);
    const value = await topic.value(producer, ending);
    this.#writes += 1;
    const { parts, last } = cut(value.bytes, { epoch: producer.epoch, write: this.#writes });
    for (const [index, part] of parts.entries()) {
      await session.kv.put(partKey(producer.instance, token, index), part, { timeout: ANSWER_MS });
    }
    const revision = await this.#putAfter(session, token, key, last);
    if (revision === undefined) return;
    this.#revisions.set(token, revision);
    value.told();
    this.#events.written(value.bytes.length);
  }

  /** Answers the new revision; `undefined` where another publisher of this instance was there before. */
  async #putAfter(
    session: BusSession,
    token: TopicToken,
    key: string,
    bytes: Uint8Array,
  ): Promise<number | undefined> {
    const put = (previousSeq: number) =>
      session.kv.put(key, bytes, { previousSeq, timeout: ANSWER_MS });
    try {
      return await put(this.#revisions.get(token) ?? 0);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const found = await session.kv.get(key);
      // Rows of an earlier start may be overwritten; whether one still goes on is told by the terminals.
      if (token === "terminals" && found !== null && !(await this.#isOurs(found))) {
        this.#events.collided(await decodeValue(found.value).catch(() => undefined));
        return undefined;
      }
      return put(found?.revision ?? 0);
    }
  }

  /** Whether a write of ours was taken whose answer was lost, or ours has gone. */
  async #isOurs(found: KvEntry): Promise<boolean> {
    return found.operation !== "PUT" || isOf(found.value, this.#options.producer.epoch);
  }

  #failed(error: unknown): void {
    if (isMissing(error)) {
      this.close();
      this.#events.missing(wordsOf(error));
      return;
    }
    this.#isForbidden = isForbidden(error);
    this.#isBeat = true;
    this.#writtenAt = this.#options.clock.monotonic() + RETRY_MS - WRITE_PERIOD_MS;
    this.#events.failed(wordsOf(error), !this.#isForbidden);
  }
}
