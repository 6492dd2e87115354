/** How soon after a look the next may be, in milliseconds: while the screen changes, and where somebody typed and waits to
 * see it. */
const CHANGING_MS = 50;
const TYPED_MS = 8;

/** How rarely a pane is looked at that does not change: where it is known whether its server has read anything, because of
 * what other panes print; and where it is not, at any rate. */
const OTHERS_MS = 500;
const UNKNOWN_MS = 1_000;

/** After how many looks in a row, at which a pane had changed whose server was said to have read nothing, that is not believed
 * any more: some systems have procfs without its figures. */
const MISTAKES = 3;

/** How long is waited for a look although the server has read nothing: commands change a pane, too. */
const UNREAD_MS = 2_000;

/** How long is waited for what comes of a typed key before it is waited for as for anything. */
const ECHO_MS = 200;

/** How often it is seen whether the server has read anything, by how long ago something happened last, in milliseconds. */
const GLANCES: readonly (readonly [sinceMs: number, everyMs: number])[] = [
  [10_000, 20],
  [60_000, 50],
];
const RARE_GLANCE_MS = 100;
const ECHO_GLANCE_MS = 4;

/** When a pane is to be looked at. Times are of a clock that never goes back, in milliseconds. */
export class Pace {
  #seesReads: boolean;
  #mistakes = 0;
  /** The shortest time from the end of a look to the next. */
  #gapMs = CHANGING_MS;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #happenedAt = Number.NEGATIVE_INFINITY;
  #typedAt = Number.NEGATIVE_INFINITY;

  /** `seesReads`: whether it is known that the server has read something. */
  constructor(seesReads: boolean) {
    this.#seesReads = seesReads;
  }

  /** A look that took so long has ended. `hasRead`: the server was said to have read something before it. */
  looked(now: number, tookMs: number, hasChanged: boolean, hasRead: boolean): void {
    if (hasChanged) this.#mistakes = hasRead ? 0 : this.#mistakes + 1;
    if (this.#mistakes >= MISTAKES) this.#seesReads = false;
    const isEcho = now - this.#typedAt < ECHO_MS;
    const rarest = this.#seesReads ? OTHERS_MS : UNKNOWN_MS;
    this.#lookedAt = now;
    if (hasChanged) {
      this.#happenedAt = now;
      this.#gapMs = CHANGING_MS;
    } else this.#gapMs = Math.min(this.#gapMs * 2, isEcho ? CHANGING_MS : rarest);
    // A server that is slow to answer has half of its time for others.
    this.#gapMs = Math.max(this.#gapMs, Math.min(tookMs, rarest));
  }

  typed(now: number): void {
    this.#typedAt = now;
    this.#happenedAt = now;
    this.#gapMs = TYPED_MS;
  }

  /** Whether to look now. `hasRead`: since the last look began. */
  isDue(now: number, hasRead: boolean): boolean {
    const since = now - this.#lookedAt;
    if (since < this.#gapMs) return false;
    return !this.#seesReads || hasRead || since >= UNREAD_MS;
  }

  /** How long until that may change, in milliseconds. */
  waitMs(now: number, hasRead: boolean): number {
    const gap = this.#lookedAt + this.#gapMs - now;
    if (!this.#seesReads || hasRead) return Math.max(1, gap);
    const glance =
      now - this.#typedAt < ECHO_MS ? ECHO_GLANCE_MS : glanceMs(now - this.#happenedAt);
    return Math.max(1, Math.min(glance, this.#lookedAt + UNREAD_MS - now));
  }
}

function glanceMs(sinceMs: number): number {
  for (const [limit, every] of GLANCES) if (sinceMs < limit) return every;
  return RARE_GLANCE_MS;
}
