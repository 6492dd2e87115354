/** Nothing is sent to a connection that has this many bytes waiting: parts of a snapshot wait, changes fold
 * and requests are not read meanwhile. Large enough to keep a fast network busy between two flushes, small
 * enough that a thousand slow peers fit in memory. */
export const HOLD_BYTES = 1_048_576;

/** How long a connection with HOLD_BYTES waiting may take nothing before it is given up. */
export const STALL_MS = 10_000;

/** How many bytes may wait on a connection that has taken none of them. */
export const EVICTION_BYTES = 4 * 1_048_576;

/** What waits on one connection, and whether the peer takes it. It is known from when it was last looked at,
 * since asking costs as much as the rest of a delivery. Times are of the monotonic clock. */
export class Backlog {
  /** What waited when it was looked at or sent to last. Less than that is progress. */
  #bytes = 0;
  /** Since when so much waits and none of it was taken. */
  #stalledAt: number | undefined;
  /** Whether the peer took any of what waits, since nothing did. */
  #tookSome = false;

  /** Whether the peer has not taken all it was sent. */
  get waits(): boolean {
    return this.#bytes > 0;
  }

  /** Whether so much waits that nothing is sent to it. */
  get isHeld(): boolean {
    return this.#bytes >= HOLD_BYTES;
  }

  /** Notes what the peer took. Has to come before anything is sent, for afterwards what it took and what
   * it was sent cannot be told apart. */
  look(bytes: number, now: number): void {
    const took = bytes < this.#bytes;
    if (took) this.#stalledAt = undefined;
    this.#tookSome = bytes > 0 && (took || this.#tookSome);
    this.sent(bytes, now);
  }

  /** Notes what waits now that something was sent. */
  sent(bytes: number, now: number): void {
    this.#bytes = bytes;
    if (bytes < HOLD_BYTES) this.#stalledAt = undefined;
    else this.#stalledAt ??= now;
  }

  /** Whether the peer takes nothing and is to be given up. */
  isStuck(now: number): boolean {
    if (this.#bytes > EVICTION_BYTES && !this.#tookSome) return true;
    return this.#stalledAt !== undefined && now - this.#stalledAt >= STALL_MS;
  }
}
