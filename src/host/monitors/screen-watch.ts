import { GlobMatcher } from "./glob-matcher.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

/** Looks for a glob on the screen, from what it shows at the start on. */
export function watchScreen(
  pattern: string,
  { session, feed, screens }: WatchGround,
  { looked, lost }: WatchEvents,
): Watch {
  let ends: (() => void)[] = [];
  return {
    start() {
      ends = [
        feed.follow({ from: session.ring.end, looked() {}, lost }),
        screens.follow((text) => looked(new GlobMatcher(pattern).feed(text) >= 0)),
      ];
    },
    stop() {
      for (const end of ends) end();
    },
  };
}
