import { BOOKMARK_MS } from "../contract/envelope.ts";
import type { Cancel, Clock } from "./clock.ts";
import { ANSWER_MS, WAKE_ANSWER_MS } from "./intervals.ts";
import { Watchdog } from "./watchdog.ts";

export interface LivenessEvents {
  /** Asks the publisher for an answer, and tells whether one came in time. */
  ping(withinMs: number, answered: (inTime: boolean) => void): void;
  /** Nothing was heard for longer than a quiet publisher may be silent. */
  stale(): void;
  /** It is heard from again. */
  live(): void;
  /** It does not even answer: the connection leads nowhere. */
  dead(): void;
}

const CONNECTION = "connection";

/** Tells a quiet publisher from one that is gone, for one greeted connection.
 *
 * A publisher that keeps a chain sends bookmarks, so its silence alone says stale; it is asked then
 * only to learn whether the connection still leads to it. One that keeps none may be silent for days, so
 * it is asked after each BOOKMARK_MS of silence and its missing answer says stale. Which of the two it is shows the first
 * frame with an `epoch`. An answer to a ping does not end the staleness of the former: its process
 * answers while its readings may hang. */
export class Liveness {
  readonly #clock: Clock;
  readonly #events: LivenessEvents;
  readonly #watchdog: Watchdog;
  #stale = false;
  #stopped = false;
  #next: Cancel | undefined;
  /** Counts up whenever what was asked before is of no interest any more. */
  #round = 0;

  constructor(clock: Clock, events: LivenessEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#watchdog = new Watchdog(clock, () => {
      this.#fallStale();
      this.#ask(ANSWER_MS);
    });
    this.#askLater();
  }

  /** A frame arrived. */
  heard(keepsChain: boolean): void {
    if (this.#stopped) return;
    this.#rest();
    if (keepsChain || this.#keepsChain) this.#watchdog.heard(CONNECTION);
    else this.#askLater();
    this.#revive();
  }

  /** Asks at once, and with less patience: the network has changed. */
  probe(): void {
    this.#rest();
    this.#ask(WAKE_ANSWER_MS, true);
  }

  stop(): void {
    this.#stopped = true;
    this.#rest();
    this.#watchdog.clear();
  }

  get #keepsChain(): boolean {
    return this.#watchdog.isWatching(CONNECTION);
  }

  #askLater(): void {
    this.#next = this.#clock.schedule(BOOKMARK_MS, () => this.#ask(ANSWER_MS));
  }

  #ask(withinMs: number, isLast = this.#stale): void {
    this.#round += 1;
    const round = this.#round;
    this.#events.ping(withinMs, (inTime) => {
      if (this.#stopped || round !== this.#round) return;
      if (inTime) this.#answered();
      else if (isLast) this.#events.dead();
      else {
        this.#fallStale();
        this.#ask(ANSWER_MS);
      }
    });
  }

  #answered(): void {
    if (!this.#keepsChain) this.#revive();
    if (!this.#keepsChain || this.#stale) this.#askLater();
  }

  #rest(): void {
    this.#next?.();
    this.#next = undefined;
    this.#round += 1;
  }

  #fallStale(): void {
    if (this.#stale || this.#stopped) return;
    this.#stale = true;
    this.#events.stale();
  }

  #revive(): void {
    if (!this.#stale || this.#stopped) return;
    this.#stale = false;
    this.#events.live();
  }
}
