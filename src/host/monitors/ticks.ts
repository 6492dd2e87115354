/** Into so many parts an interval is divided by the times at which a tick may be; and how far apart those are at most, in
 * milliseconds. */
const PARTS = 4;
const MAX_PART_MS = 1_000;

/** The time for a tick that is due then, or a quarter of its interval sooner: ticks of intervals that are alike come together,
 * and many cost the process one awakening. */
export function sharedTick(due: number, intervalMs: number): number {
  const part = Math.min(intervalMs / PARTS, MAX_PART_MS);
  return Math.floor(due / part) * part;
}

/** The next time of those that lie so far apart which has not passed. */
export function nextTick(due: number, intervalMs: number, now: number): number {
  return due + (Math.floor(Math.max(0, now - due) / intervalMs) + 1) * intervalMs;
}
