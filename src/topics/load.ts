/** How many frames a second make the process busy. About half of what one core sends. */
export const BUSY_FRAMES_PER_SECOND = 10_000;

const SECOND_MS = 1_000;

/** How many frames leave the process, in seconds one after the other. One that was busy makes the
 * whole next one busy, else the longer period would end as soon as it helps. */
export class Load {
  #startedAt = Number.NEGATIVE_INFINITY;
  #frames = 0;
  #before = 0;

  /** Counts frames that were sent now, in the monotonic clock. */
  count(frames: number, now: number): void {
    this.#turn(now);
    this.#frames += frames;
  }

  isBusy(now: number): boolean {
    this.#turn(now);
    return Math.max(this.#frames, this.#before) > BUSY_FRAMES_PER_SECOND;
  }

  #turn(now: number): void {
    const elapsed = now - this.#startedAt;
    if (elapsed < SECOND_MS) return;
    this.#before = elapsed < 2 * SECOND_MS ? this.#frames : 0;
    this.#startedAt = now;
    this.#frames = 0;
  }
}
