import { monotonicOf, wallTimeOf } from "./wall-time.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

/** Waits for so long a time without output, counted from the start at the earliest. Each silence is told of once. */
export function watchQuiet(
  quietMs: number,
  { session, clock, deadlines, feed }: WatchGround,
  { looked, lost }: WatchEvents,
): Watch {
  let since = 0;
  let isArmed = false;
  let cancel = () => {};
  let unfollow = () => {};
  // However much comes meanwhile: it looks when the last output was.
  const arm = (at: number) => {
    isArmed = true;
    cancel = deadlines.at(at, () => {
      const due = Math.max(since, feed.lastAt) + quietMs;
      if (due > clock.monotonic()) arm(due);
      else {
        isArmed = false;
        looked(true);
      }
    });
  };
  return {
    start({ since_ms, is_told = false } = {}) {
      since = since_ms === undefined ? clock.monotonic() : monotonicOf(clock, since_ms);
      const more = () => {
        if (!isArmed) arm(feed.lastAt + quietMs);
      };
      unfollow = feed.follow({ from: session.ring.end, looked: more, lost });
      if (!is_told) arm(Math.max(since, feed.lastAt) + quietMs);
    },
    save: () => ({ since_ms: wallTimeOf(clock, since), is_told: !isArmed }),
    stop() {
      cancel();
      unfollow();
    },
  };
}
