import type { Clock } from "../../time/clock.ts";
import type { Matcher } from "./matcher.ts";
import type { SavedMonitors } from "./saved.ts";
import type { MonitoredSession } from "./session.ts";
import { monotonicOf, wallTimeOf } from "./wall-time.ts";

/** How much all matchers look at before the time is looked at, in bytes: 32 of the slowest need some milliseconds for it. */
const SLICE_BYTES = 4 * 1024;

/** How long they go on before others have their turn, in milliseconds. */
const TURN_MS = 4;

/** Somebody who looks at the output of a session. */
export interface Follower {
  /** The offset that it begins at. */
  readonly from: number;
  /** Absent for one who only wants to know that there is more. */
  readonly matcher?: Pick<Matcher, "feed">;
  /** It has been given more. `isFound`: the match was in it. */
  looked(isFound: boolean): void;
  /** Output is gone that it has not been given. */
  lost(): void;
}

/** How far it has got. */
export type SavedFeed = Pick<SavedMonitors, "position" | "told" | "told_at_ms">;

/** Gives a session's output to those who look for something in it, as it comes, each byte once. Where that takes longer
 * than a turn, the rest is for later; only when the ring has left that behind meanwhile is it lost. */
export class OutputFeed {
  readonly #session: MonitoredSession;
  readonly #clock: Clock;
  readonly #followers = new Set<Follower>();
  /** How far the matchers have got. */
  #position: number;
  /** The end of the output when it was last told of. */
  #told: number;
  #toldAt: number;
  #isBehind = false;
  #waiting: (() => void)[] = [];

  /** `saved`: goes on from where that of an earlier process was. */
  constructor(session: MonitoredSession, clock: Clock, saved?: SavedFeed) {
    this.#session = session;
    this.#clock = clock;
    this.#position = saved?.position ?? session.ring.end;
    this.#told = saved?.told ?? this.#position;
    this.#toldAt = saved === undefined ? clock.monotonic() : monotonicOf(clock, saved.told_at_ms);
  }

  /** When output came last, as the clock's monotonic time. */
  get lastAt(): number {
    return this.#toldAt;
  }

  /** Whether some of what has come was not given yet. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  save(): SavedFeed {
    return {
      position: this.#position,
      told: this.#told,
      told_at_ms: wallTimeOf(this.#clock, this.#toldAt),
    };
  }

  /** Output may have come. */
  look(): void {
    const { end } = this.#session.ring;
    // What an earlier process was told of comes once more, and is no news.
    if (end > this.#told) this.#tell();
    if (!this.#isBehind && this.#position < end) this.#proceed();
  }

  #tell(): void {
    const { end, floor } = this.#session.ring;
    const told = this.#told;
    this.#told = end;
    this.#toldAt = this.#clock.monotonic();
    for (const follower of [...this.#followers]) {
      if (follower.matcher !== undefined) continue;
      if (Math.max(told, follower.from) < floor) follower.lost();
      else follower.looked(false);
    }
  }

  /** Resolves when all that has come was given. */
  caughtUp(): Promise<void> {
    if (!this.#isBehind) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #proceed(): void {
    const { ring } = this.#session;
    const began = this.#clock.monotonic();
    const found = new Set<Follower>();
    const given = new Set<Follower>();
    this.#isBehind = false;
    while (this.#position < ring.end) {
      const matching = [...this.#followers].filter(({ matcher }) => matcher !== undefined);
      if (matching.length === 0) this.#position = ring.end;
      else if (this.#clock.monotonic() - began > TURN_MS) {
        this.#isBehind = true;
        setImmediate(() => this.#proceed());
        break;
      } else this.#give(matching, given, found);
    }
    for (const follower of given) {
      if (this.#followers.has(follower)) follower.looked(found.has(follower));
    }
    if (this.#isBehind) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #give(matching: readonly Follower[], given: Set<Follower>, found: Set<Follower>): void {
    const { ring } = this.#session;
    if (this.#position < ring.floor) {
      this.#position = ring.floor;
      for (const follower of matching) if (follower.from < ring.floor) follower.lost();
      return;
    }
    const bytes = ring.slice(this.#position, SLICE_BYTES);
    for (const follower of matching) {
      const begin = Math.max(0, follower.from - this.#position);
      if (begin >= bytes.length) continue;
      given.add(follower);
      if (found.has(follower)) continue;
      if ((follower.matcher?.feed(bytes.subarray(begin)) ?? -1) >= 0) found.add(follower);
    }
    this.#position += bytes.length;
  }
}
