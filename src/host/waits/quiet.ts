import type { Cancel, Clock } from "../../time/clock.ts";
import type { OutputSource } from "./source.ts";
import type { Finder, Watch } from "./watch.ts";

/** How long without output is quiet where nobody said, in milliseconds. */
export const QUIET_MS = 500;

/** Until no output has come for some time, counted from the last output or from now, whichever is later: what was typed
 * just before has its time to be answered. A program that ended is as quiet as can be, and says so by `exit`. */
export function watchQuiet(
  source: OutputSource,
  clock: Clock,
  quietMs: number,
  { found }: Finder,
): Watch {
  let end = source.end;
  let since = clock.monotonic();
  let cancel: Cancel = () => {};
  // One timer for the whole wait, however much comes: it looks when the last output was.
  const arm = (delay: number) => {
    cancel = clock.schedule(delay, () => {
      const left = since + quietMs - clock.monotonic();
      if (left > 0) arm(left);
      else found("quiet");
    });
  };
  arm(quietMs);
  return {
    look() {
      if (source.isEnded) found("exit");
      if (source.end === end) return;
      end = source.end;
      since = clock.monotonic();
    },
    timeUp: () => found("timeout"),
    end: () => cancel(),
  };
}
