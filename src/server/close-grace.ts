import type { Cancel, Clock } from "../time/clock.ts";

/** How long a peer that is being closed may take for it before it is cut, in milliseconds. One that reads
 * nothing never finishes. */
export const CLOSE_GRACE_MS = 2_000;

/** The time that a carrier gives its peer to be closed in. */
export class CloseGrace {
  readonly #clock: Clock;
  readonly #cut: () => void;
  #cancel: Cancel | undefined;

  constructor(clock: Clock, cut: () => void) {
    this.#clock = clock;
    this.#cut = cut;
  }

  /** Begins it. False where it has begun before: the peer is being closed already. */
  begin(): boolean {
    if (this.#cancel !== undefined) return false;
    this.#cancel = this.#clock.schedule(CLOSE_GRACE_MS, this.#cut);
    return true;
  }

  /** The peer is closed. */
  end(): void {
    this.#cancel?.();
  }
}
