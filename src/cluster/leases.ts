import type { Cancel, Clock } from "../time/clock.ts";
import { HEARTBEAT_MS, LEASE_MS, RETRY_MS, STALE_MARGIN_MS } from "./limits.ts";
import type { Member } from "./member.ts";

/** By how much a timer may be late before the process itself must have stood still, in milliseconds. */
const PAUSE_MS = 1_000;

export interface LeaseEvents {
  /** A heartbeat was missed. */
  silent(member: Member): void;
  /** Nothing came for a whole lease. */
  lapsed(member: Member): void;
}

/** Watches over how long ago each instance was heard from. One timer for all; none where there is nobody. */
export class Leases {
  readonly #clock: Clock;
  readonly #events: LeaseEvents;
  readonly #members = new Set<Member>();
  #pausedAt: number | undefined;
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined;

  constructor(clock: Clock, events: LeaseEvents) {
    this.#clock = clock;
    this.#events = events;
  }

  /** It was heard from. */
  keep(member: Member): void {
    this.#members.add(member);
    this.#arm(dueAt(member));
  }

  drop(member: Member): void {
    this.#members.delete(member);
  }

  /** What it comes to could not be told: it is looked at again. */
  postpone(member: Member): void {
    member.heardAt = this.#clock.monotonic() - LEASE_MS + RETRY_MS;
    this.keep(member);
  }

  /** The bus is out of reach: nobody can be heard. */
  pause(): void {
    this.stop();
    this.#pausedAt ??= this.#clock.monotonic();
  }

  /** It is back. What nobody could hear was nobody's silence. */
  resume(members: Iterable<Member>): void {
    const now = this.#clock.monotonic();
    const away = now - (this.#pausedAt ?? now);
    this.#pausedAt = undefined;
    for (const member of members) {
      if (!member.isThere) continue;
      member.heardAt += away;
      this.keep(member);
    }
  }

  stop(): void {
    this.#members.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(at: number): void {
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const delay = Math.max(0, Math.ceil(at - this.#clock.monotonic()));
    this.#timer = { at, cancel: this.#clock.schedule(delay, () => this.#look(at)) };
  }

  #look(due: number): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    // While this process stood still nothing could be heard: that time is nobody's silence.
    const paused = now - due > PAUSE_MS ? now - due : 0;
    let next = Number.POSITIVE_INFINITY;
    for (const member of [...this.#members]) {
      member.heardAt += paused;
      if (now - member.heardAt >= LEASE_MS) {
        this.#members.delete(member);
        this.#events.lapsed(member);
        continue;
      }
      if (member.presence === "there" && now - member.heardAt >= HEARTBEAT_MS + STALE_MARGIN_MS) {
        member.presence = "silent";
        this.#events.silent(member);
      }
      next = Math.min(next, dueAt(member));
    }
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next);
  }
}

/** When something becomes of it unless it is heard from. */
const dueAt = ({ heardAt, presence }: Member): number =>
  heardAt + (presence === "there" ? HEARTBEAT_MS + STALE_MARGIN_MS : LEASE_MS);
