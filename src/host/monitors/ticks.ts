/** The next time of those that lie so far apart which has not passed. */
export function nextTick(due: number, intervalMs: number, now: number): number {
  return due + (Math.floor(Math.max(0, now - due) / intervalMs) + 1) * intervalMs;
}
