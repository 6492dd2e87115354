import type { KvEntry } from "@nats-io/kv";
import type { InstanceInfo } from "../contract/instances.ts";
import type { Clock } from "../time/clock.ts";
import { Arrivals } from "./arrivals.ts";
import { BucketWatch } from "./bucket-watch.ts";
import type { BusSession } from "./bus.ts";
import { Leases } from "./leases.ts";
import { FIRST_READING_MS, LEASE_MS } from "./limits.ts";
import type { Member } from "./member.ts";
import { Members, type MembersEvents } from "./members.ts";
import { type KeyPlace, placeOf, type TopicToken, topicKey } from "./subjects.ts";
import { type Value, ValueFault } from "./value.ts";
import { Waiters } from "./waiters.ts";

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
  readonly #arrivals = new Arrivals();
  /** What arrives is taken one after the other. */
  #taken: Promise<void> = Promise.resolve();
  /** Which topics are read here. */
  #wanted: ReadonlySet<TopicToken> = new Set();
  /** Whether it is read who there is. */
  #isOn = false;
  #session: BusSession | undefined;
  /** The watch that counts: another one replaces it. */
  #watch: BucketWatch | undefined;
  #isListOwed = false;
  /** Who waits for something to arrive. */
  readonly #waiting = new Waiters();

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
    const wasOn = this.#isOn;
    this.#isOn = wanted !== undefined;
    this.#wanted = new Set(wanted);
    for (const token of unread) this.#members.forget(token);
    if (!this.#isOn) this.#end();
    else if (!wasOn) this.#begin();
    else this.#recall();
  }

  open(session: BusSession): void {
    this.#session = session;
    this.#leases.resume(this.#members);
    this.#begin();
  }

  /** The bus is out of reach: what is held stays, and says so. */
  close(): void {
    this.#session = undefined;
    this.#stopWatch();
    this.#leases.pause();
    let changed = false;
    for (const member of this.#members) if (member.cutOff(this.#at())) changed = true;
    this.#moved(changed);
    this.#passed();
  }

  /** Nothing is read any more, and what was is left as it is: the publisher ends. */
  stop(): void {
    this.#session = undefined;
    this.#stopWatch();
    this.#leases.stop();
  }

  /** Resolves once everybody's first reading of a topic is here, or FIRST_READING_MS have passed. `undefined`: once it is known
   * who there is. */
  async fresh(token: TopicToken | undefined): Promise<void> {
    const holds = () => this.#isFresh(token);
    await this.#waiting.until(holds, this.#options.clock, FIRST_READING_MS);
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

  /** Takes what was kept of topics that are read now. */
  #recall(): void {
    for (const entry of this.#arrivals.kept(this.#wanted)) void this.#take(entry, 0);
  }

  /** Begins the watch anew: what is held is compared with what comes. */
  #begin(): void {
    const session = this.#session;
    this.#stopWatch();
    if (session === undefined || !this.#isOn) return;
    const watch = new BucketWatch(session, this.#options.clock, {
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

  #take(entry: KvEntry, ageMs: number): Promise<void> {
    this.#taken = this.#taken
      .then(() => this.#takeNow(entry, ageMs))
      .then(() => this.#passed(), this.#events.failed);
    return this.#taken;
  }

  async #takeNow(entry: KvEntry, ageMs: number): Promise<void> {
    if (this.#session === undefined || !this.#isOn) return;
    const place = placeOf(entry.key);
    if (place === undefined) {
      this.#events.refused("key", 1);
      return;
    }
    if (place.kind === "interest" || place.instance === this.#options.instance) return;
    if (entry.operation !== "PUT") this.#takeEnd(place, entry);
    else if (place.kind === "part") this.#arrivals.part(place, entry);
    else await this.#takeValue(place, entry, ageMs);
  }

  #takeEnd(place: Extract<KeyPlace, { kind: "topic" | "part" }>, entry: KvEntry): void {
    this.#arrivals.drop(entry.key);
    if (place.kind === "topic" && place.token === "terminals") {
      this.#deleted(place.instance, entry.revision);
    }
  }

  async #takeValue(
    place: Extract<KeyPlace, { kind: "topic" }>,
    entry: KvEntry,
    ageMs: number,
  ): Promise<void> {
    const { instance, token } = place;
    const isWanted = this.#wanted.has(token);
    if (isWanted) this.#arrivals.drop(entry.key);
    else this.#arrivals.keep(entry);
    if (token !== "terminals" && !isWanted) return;
    // Its publisher died long ago, and the bucket has not thrown it away yet.
    if (ageMs >= LEASE_MS && this.#members.find(instance) === undefined) return;
    try {
      const value = await this.#arrivals.value(place, entry);
      if (value === undefined) return;
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
    // What a lost instance said last is no news of it.
    if (!member.isThere && revision === member.revisionBefore) return;
    const before = JSON.stringify(member.info);
    this.#moved(member.take(token, value, this.#wanted, this.#at()));
    // A later value of another topic is no sign of life: it may be what the bucket kept.
    if (token === "terminals") this.#hear(member, value, revision, ageMs);
    if (JSON.stringify(member.info) !== before) this.#list();
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
    if (revision === member.revisionBefore) {
      this.#hearAgain(member);
      return;
    }
    const now = this.#options.clock.monotonic();
    const heardAt = member.presence === "met" ? now - ageMs : now;
    if (member.heard(heardAt)) this.#moved(member.back());
    this.#leases.keep(member);
  }

  /** The bus is back, and it has said nothing since. */
  #hearAgain(member: Member): void {
    const isSilent = member.presence === "silent";
    this.#moved(isSilent ? member.silence("instance_silent", this.#at()) : member.back());
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

  #end(): void {
    this.#stopWatch();
    this.#leases.stop();
    this.#members.clear();
    this.#arrivals.clear();
    this.#list();
    this.#passed();
  }

  #stopWatch(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  /** Tells who there is: once it is known, and not for each of thousands by itself. */
  #list(): void {
    this.#isListOwed = this.#isOn && this.#watch?.isComplete === false;
    if (this.#isListOwed) return;
    this.#events.listed(Array.from(this.#members, ({ info }) => info));
  }

  #moved(changed: boolean): void {
    if (changed) this.#events.moved();
  }

  #passed(): void {
    if (this.#isListOwed && this.#watch?.isComplete !== false) this.#list();
    this.#waiting.look();
  }

  #at(): number {
    return this.#options.clock.now();
  }
}
