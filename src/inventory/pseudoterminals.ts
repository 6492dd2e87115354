import { join } from "node:path";
import { type Unwatch, watchEntries } from "../sources/watch.ts";
import type { Clock } from "../time/clock.ts";

/** Where the kernel shows every pseudo-terminal that is open. A watch on it announces each that opens or
 * closes, whoever did it. */
const DEVICE_FOLDER = "/dev/pts";

/** How many writes to terminals a second are put up with. Kernels of today announce none; an older one
 * announces each, and the watch would then cost more than it is worth. */
const WRITES_PER_SECOND = 200;

export interface PseudoterminalEvents {
  /** The one of that path was opened or closed. */
  changed(tty: string): void;
  /** The watch cannot be had or is not worth having; nothing is announced from now on. */
  lost(error: Error): void;
}

/** Watches for terminals that open and close. */
export function watchPseudoterminals(
  clock: Clock,
  events: PseudoterminalEvents,
  folder = DEVICE_FOLDER,
): Unwatch {
  let second = { startedAt: clock.monotonic(), writes: 0 };
  const unwatch = watchEntries(folder, {
    changed: (name, kind) => {
      if (kind === "rename") return events.changed(join(folder, name ?? ""));
      const now = clock.monotonic();
      if (now - second.startedAt >= 1_000) second = { startedAt: now, writes: 0 };
      second.writes += 1;
      if (second.writes <= WRITES_PER_SECOND) return;
      unwatch();
      events.lost(new Error(`the kernel announces every write to a terminal in ${folder}`));
    },
    lost: events.lost,
  });
  return unwatch;
}
