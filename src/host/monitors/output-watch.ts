import type { Matcher } from "./matcher.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

/** Looks for a match in the output that comes from the start on. */
export function watchOutput(
  matcher: Matcher,
  { session, feed }: WatchGround,
  { looked, lost }: WatchEvents,
): Watch {
  let end = () => {};
  return {
    start() {
      end = feed.follow({ from: session.ring.end, matcher, looked, lost });
    },
    stop() {
      end();
      matcher.interrupt();
    },
  };
}
