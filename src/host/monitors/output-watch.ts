import type { Matcher } from "./matcher.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

/** Looks for a match in the output that comes from the start on. */
export function watchOutput(
  matcher: Matcher,
  { session, feed }: WatchGround,
  { looked, lost }: WatchEvents,
): Watch {
  let end = () => {};
  let from = 0;
  return {
    start(saved = {}) {
      from = saved.from ?? session.ring.end;
      if (saved.matcher !== undefined) matcher.restore(saved.matcher);
      end = feed.follow({ from, matcher, looked, lost });
    },
    save: () => ({ from, matcher: matcher.save() }),
    stop() {
      end();
      matcher.interrupt();
    },
  };
}
