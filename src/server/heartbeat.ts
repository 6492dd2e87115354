import type { Cancel, Clock } from "../time/clock.ts";

/** Between two pings of one connection. A peer that is gone without a word is noticed within two. */
export const PING_MS = 15_000;

/** The peer that a heartbeat watches. */
export interface Pinged {
  ping(): void;
  /** Whether silence is no fault of the peer: it is not being read. */
  readonly excused: boolean;
  /** The peer let a whole interval pass without an answer. */
  lost(): void;
}

/** Pings a peer, and tells when one interval passed without an answer. */
export class Heartbeat {
  #answered = true;
  #cancel: Cancel;
  readonly #clock: Clock;
  readonly #peer: Pinged;

  /** `phase` is from 0 to 1: where in the interval the first ping stands, so that many connections
   * made at once are not pinged at once. */
  constructor(clock: Clock, peer: Pinged, phase: number) {
    this.#clock = clock;
    this.#peer = peer;
    this.#cancel = clock.schedule(Math.ceil(phase * PING_MS), () => this.#beat());
  }

  answered(): void {
    this.#answered = true;
  }

  stop(): void {
    this.#cancel();
  }

  #beat(): void {
    if (!this.#answered && !this.#peer.excused) {
      this.#peer.lost();
      return;
    }
    this.#answered = false;
    this.#cancel = this.#clock.schedule(PING_MS, () => this.#beat());
    this.#peer.ping();
  }
}
