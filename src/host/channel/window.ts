import { TERMINAL_OUTPUT_WINDOW } from "./limits.ts";

/** How long output may be on its way to a viewer, in milliseconds, beside the steps that it acknowledges in, before its
 * window becomes smaller: what a key that it presses then waits behind. On 5 Mbit/s a step of 8 KiB takes 13 ms, so that
 * with two of them and a repaint an interrupt shows within 50. */
const IN_FLIGHT_MS = 10;

/** How many of its steps a viewer may have in flight at least: with fewer it would wait for each acknowledgement. */
const LEAST_STEPS = 2;

/** How much of a new measurement counts; and of a smaller step. A viewer that acknowledges what is left of a burst may come
 * back to its steps with the next, and would never finish one that its window has no room for. */
const WEIGHT = 0.3;
const SMALLER_STEP_WEIGHT = 0.02;

/** How long output is taken at least before it is said how fast, in milliseconds: acknowledgements may come in bursts. */
const MEASURED_MS = 20;

/** What goes at once into a window that is smaller than the whole one: a part of it, so that a viewer comes to its step with
 * little more than that, and in bytes at least so much. */
const SLICES = 8;
const LEAST_SLICE_BYTES = 4 * 1024;

/** After so long without anything sent, in milliseconds, the time since the last acknowledgement says nothing of how fast
 * output is taken. */
const QUIET_MS = 50;

/** How much output one connection may have unacknowledged. Everything sent and everything acknowledged counts for as long
 * as the connection lives, repaints too, so that the two cannot drift apart. The window is the whole one for a viewer that
 * is quick, and less for one on a slow link. */
export class OutputWindow {
  #sent = 0;
  #acknowledged = 0;
  /** Bytes that a millisecond takes, and bytes that one acknowledgement is about. */
  #rate: number | undefined;
  #step: number | undefined;
  /** What was acknowledged since when, and says not yet how fast. */
  #taken = 0;
  #since = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #acknowledgedAt = Number.NEGATIVE_INFINITY;

  /** Whether anything has ever been acknowledged. */
  get isAcknowledged(): boolean {
    return this.#acknowledged > 0;
  }

  /** When something was sent or acknowledged last, in the monotonic clock. */
  get movedAt(): number {
    return Math.max(this.#sentAt, this.#acknowledgedAt);
  }

  get inFlight(): number {
    return this.#sent - this.#acknowledged;
  }

  get size(): number {
    if (this.#rate === undefined || this.#step === undefined) return TERMINAL_OUTPUT_WINDOW;
    const wanted = this.#rate * IN_FLIGHT_MS + LEAST_STEPS * this.#step;
    return Math.min(TERMINAL_OUTPUT_WINDOW, Math.floor(wanted));
  }

  get room(): number {
    return Math.max(0, this.size - this.inFlight);
  }

  /** How many bytes may go at once. */
  get slice(): number {
    const { size, room } = this;
    const isWhole = size >= TERMINAL_OUTPUT_WINDOW;
    return isWhole ? room : Math.min(room, Math.max(LEAST_SLICE_BYTES, Math.floor(size / SLICES)));
  }

  /** Whether not even the whole window has room. */
  get isFull(): boolean {
    return this.inFlight >= TERMINAL_OUTPUT_WINDOW;
  }

  /** Makes it the whole one again: the viewer may wait for more than it was sent before it acknowledges. */
  widen(): void {
    this.#rate = undefined;
    this.#step = undefined;
  }

  /** `now` in the monotonic clock. */
  sent(bytes: number, now: number): void {
    if (this.inFlight === 0 || now - this.#sentAt > QUIET_MS) {
      this.#since = now;
      this.#taken = 0;
    }
    this.#sentAt = now;
    this.#sent += bytes;
  }

  /** More than was sent counts as all of it. */
  acknowledged(bytes: number, now: number): void {
    const counted = Math.min(bytes, this.inFlight);
    this.#acknowledged += counted;
    if (counted === 0) return;
    this.#acknowledgedAt = now;
    this.#step =
      counted >= (this.#step ?? 0) ? counted : weighed(this.#step, counted, SMALLER_STEP_WEIGHT);
    this.#taken += counted;
    const ms = now - this.#since;
    if (ms < MEASURED_MS) return;
    this.#rate = weighed(this.#rate, this.#taken / ms, WEIGHT);
    this.#taken = 0;
    this.#since = now;
  }
}

const weighed = (before: number | undefined, now: number, weight: number) =>
  before === undefined ? now : before + weight * (now - before);
