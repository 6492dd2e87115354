import type { KvEntry } from "@nats-io/kv";
import type { InstanceInfo } from "../contract/instances.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import { BucketWatch } from "./bucket-watch.ts";
import type { BusSession } from "./bus.ts";
import { Leases } from "./leases.ts";
import { FIRST_READING_MS, LEASE_MS } from "./limits.ts";
import type { Member } from "./member.ts";
import { Members, type MembersEvents } from "./members.ts";
import { Joined } from "./parts.ts";
import { type KeyPlace, placeOf, type TopicToken, topicKey } from "./subjects.ts";
import { decodeValue, type Value, ValueFault } from "./value.ts";

export interface OthersOptions {
  readonly instance: string;
  readonly clock: Clock;
}

export interface OthersEvents extends MembersEvents {
  /** Feeds have moved. */
  moved(): void;
  /** Who there is has changed. */
  listed(instances: readonly InstanceInfo[]): void;
  failed(error: unknown): void;
}

/** The rows of all other instances, by one watch, for as long as somebody here reads them. */
export class Others {
  readonly #options: OthersOptions;
  readonly #events: OthersEvents;
  readonly #members: Members;
  readonly #leases: Leases;
  /** The parts of values by the keys of those. */
  readonly #joined = new Map<string, Joined>();
  /** Which topics are read here. */
  #wanted: ReadonlySet<TopicToken> = new Set();
  /** Whether it is read who there is. */
  #isOn = false;
  #session: BusSession | undefined;
  /** The watch that counts: another one replaces it. */
  #watch: BucketWatch | undefined;
  /** Who waits for something to arrive. */
  readonly #waiting = new Set<() => void>();

  constructor(options: OthersOptions, events: OthersEvents) {
    this.#options = options;
    this.#events = events;
    this.#members = new Members(options.clock, events);
    this.#leases = new Leases(options.clock, {
      silent: (member) => this.#moved(member.silence("instance_silent", this.#at())),
      lapsed: (member) => void this.#confirm(member),
    });
  }

  /** What is read here from now on; `undefined`: nothing at all. */
  want(wanted: ReadonlySet<TopicToken> | undefined): void {
    const unread = [...this.#wanted].filter((token) => wanted?.has(token) !== true);
    this.#isOn = wanted !== undefined;
    this.#wanted = new Set(wanted);
    for (const token of unread) this.#members.forget(token);
    if (this.#isOn) this.#begin();
    else this.#end();
  }

  open(session: BusSession): void {
    this.#session = session;
    this.#begin();
  }

  /** The bus is out of reach: what is held stays, and says so. */
  close(): void {
    this.#session = undefined;
    this.#stopWatch();
    this.#leases.stop();
    let changed = false;
    for (const member of this.#members) {
      if (member.silence("engine_unreachable", this.#at())) changed = true;
      // Whatever comes first afterwards is a sign of life: nobody could give one.
      member.revision = 0;
    }
    this.#moved(changed);
    this.#passed();
  }

  /** Nothing is read any more, and what was is left as it is: the publisher ends. */
  stop(): void {
    this.#session = undefined;
    this.#stopWatch();
    this.#leases.stop();
  }

  /** Whether an instance is listed as one that can be reached. */
  reaches(instance: string): boolean {
    return this.#members.find(instance)?.isThere === true;
  }

  /** Resolves once everybody's first reading of a topic is here, or FIRST_READING_MS have passed. `undefined`: once it is known
   * who there is. */
  async fresh(token: TopicToken | undefined): Promise<void> {
    if (this.#isFresh(token)) return;
    let look = () => {};
    const there = new Promise<void>((resolve) => {
      look = () => {
        if (this.#isFresh(token)) resolve();
      };
      this.#waiting.add(look);
    });
    const watch = this.#watch;
    await within(this.#options.clock, FIRST_READING_MS, there);
    this.#waiting.delete(look);
    if (!this.#isFresh(token)) watch?.settle();
  }

  #isFresh(token: TopicToken | undefined): boolean {
    if (this.#session === undefined) return true;
    if (this.#watch?.isComplete !== true) return false;
    if (token === undefined) return true;
    for (const member of this.#members) {
      if (member.isThere && !member.isRead(token)) return false;
    }
    return true;
  }

  /** Begins the watch anew: what is held is compared with what comes. What came before of a topic that nobody read then was
   * not kept. */
  #begin(): void {
    const session = this.#session;
    this.#stopWatch();
    if (session === undefined || !this.#isOn) return;
    const watch = new BucketWatch(session, {
      entry: (entry, ageMs) => this.#take(entry, ageMs),
      began: (keys) => this.#confirmAbsent(session, watch, keys),
      passed: () => this.#passed(),
      failed: (error) => this.#events.failed(error),
    });
    this.#watch = watch;
  }

  /** Who is held and has no key any more may have been deleted, or be missed: a reading of that key alone decides. */
  async #confirmAbsent(
    { kv }: BusSession,
    watch: BucketWatch,
    keys: ReadonlySet<string>,
  ): Promise<void> {
    for (const member of [...this.#members]) {
      const key = topicKey(member.instance, "terminals");
      if (!member.isThere || keys.has(key)) continue;
      const found = await kv.get(key);
      if (this.#watch !== watch) return;
      if (found === null) this.#lose(member);
      else await this.#take(found, 0);
    }
  }

  async #take(entry: KvEntry, ageMs: number): Promise<void> {
    const place = placeOf(entry.key);
    if (place === undefined) {
      this.#events.refused("key", 1);
      return;
    }
    if (place.kind === "interest" || place.instance === this.#options.instance) return;
    if (place.kind === "part") this.#takePart(place, entry);
    else if (entry.operation === "PUT") await this.#takeValue(place, entry, ageMs);
    else if (place.token === "terminals") this.#deleted(place.instance, entry.revision);
  }

  #takePart(place: Extract<KeyPlace, { kind: "part" }>, entry: KvEntry): void {
    if (entry.operation !== "PUT" || !this.#wanted.has(place.token)) return;
    this.#joinedOf(place).part(place.part, entry.value);
  }

  async #takeValue(
    place: Extract<KeyPlace, { kind: "topic" }>,
    entry: KvEntry,
    ageMs: number,
  ): Promise<void> {
    const { instance, token } = place;
    if (token !== "terminals" && !this.#wanted.has(token)) return;
    const known = this.#members.find(instance);
    if (token === "terminals" && known !== undefined && entry.revision < known.revision) return;
    // Its publisher died long ago, and the bucket has not thrown it away yet.
    if (known === undefined && ageMs >= LEASE_MS) return;
    const bytes = this.#joinedOf(place).whole(entry.value);
    if (bytes === undefined) return;
    try {
      const value = await decodeValue(bytes);
      if (value.instance !== instance) {
        throw new ValueFault(`it says to be of the instance ${value.instance}`);
      }
      const member = this.#members.find(instance) ?? this.#members.meet(instance);
      if (member !== undefined) this.#accept(member, token, value, entry.revision, ageMs);
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      this.#events.refused("value", 1, `${entry.key}: ${error.message}`);
    }
  }

  #accept(member: Member, token: TopicToken, value: Value, revision: number, ageMs: number): void {
    // A reading of the key alone may have been faster.
    if (token === "terminals" && revision < member.revision) return;
    const isMet = member.host === "";
    const before = JSON.stringify(member.info);
    const changed = member.take(token, value, this.#wanted, this.#at());
    this.#moved(changed);
    // A later value of another topic is no sign of life: it may be what the bucket kept.
    if (token === "terminals") this.#hear(member, value, revision, ageMs);
    if (isMet || JSON.stringify(member.info) !== before) this.#list();
  }

  #hear(member: Member, value: Value, revision: number, ageMs: number): void {
    if (value.stopped === true) {
      member.revision = revision;
      this.#leases.drop(member);
      this.#moved(member.lose("instance_stopped", this.#at()));
      return;
    }
    if (revision === member.revision) return;
    member.revision = revision;
    const now = this.#options.clock.monotonic();
    const heardAt = member.presence === "met" ? now - ageMs : now;
    if (member.heard(heardAt)) this.#moved(member.back());
    this.#leases.keep(member);
  }

  #deleted(instance: string, revision: number): void {
    const member = this.#members.find(instance);
    if (member === undefined || revision < member.revision) return;
    member.revision = revision;
    if (!member.isThere) return;
    this.#leases.drop(member);
    this.#moved(member.lose("instance_stopped", this.#at()));
    this.#list();
  }

  /** Its lease is over: unless the bucket says otherwise it is gone. */
  async #confirm(member: Member): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    try {
      const found = await session.kv.get(topicKey(member.instance, "terminals"));
      if (this.#session !== session || this.#members.find(member.instance) !== member) return;
      if (found !== null && found.revision > member.revision) await this.#take(found, 0);
      else this.#lose(member);
    } catch (error) {
      if (this.#session !== session) return;
      // The bus did not answer, so nothing is known: it is asked again.
      this.#leases.postpone(member);
      this.#events.failed(error);
    }
  }

  #lose(member: Member): void {
    this.#leases.drop(member);
    this.#moved(member.lose("instance_lost", this.#at()));
    this.#list();
  }

  #joinedOf({ instance, token }: Extract<KeyPlace, { kind: "topic" | "part" }>): Joined {
    const key = topicKey(instance, token);
    const joined = this.#joined.get(key) ?? new Joined();
    this.#joined.set(key, joined);
    return joined;
  }

  #end(): void {
    this.#stopWatch();
    this.#leases.stop();
    this.#members.clear();
    this.#joined.clear();
    this.#list();
    this.#passed();
  }

  #stopWatch(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #list(): void {
    this.#events.listed(Array.from(this.#members, ({ info }) => info));
  }

  #moved(changed: boolean): void {
    if (changed) this.#events.moved();
  }

  #passed(): void {
    for (const look of [...this.#waiting]) look();
  }

  #at(): number {
    return this.#options.clock.now();
  }
}
