import type { Clock } from "../../time/clock.ts";

/* The monotonic clock is another one in each process. */

/** A time of the monotonic clock on the wall clock, in epoch milliseconds. */
export const wallTimeOf = (clock: Clock, monotonic: number): number =>
  Math.round(clock.now() + monotonic - clock.monotonic());

/** A time of the wall clock on the monotonic one. */
export const monotonicOf = (clock: Clock, wallTime: number): number =>
  clock.monotonic() + wallTime - clock.now();
