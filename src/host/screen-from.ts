import type { Screen } from "./screen/screen.ts";
import type { Unfed } from "./unfed.ts";

/** A screen that is fed a part of the output and counts the rest as well: ends of snapshots are offsets of the terminal's output. */
export function screenFrom(unfed: Unfed, screen: Screen): Screen {
  return {
    get backlog() {
      return screen.backlog;
    },
    feed: (bytes, isPast) => screen.feed(unfed.take(bytes), isPast),
    flush: () => screen.flush(),
    resize: (cols, rows) => screen.resize(cols, rows),
    setTheme: (theme) => screen.setTheme(theme),
    async snapshot(options) {
      const { bytes, end } = await screen.snapshot(options);
      return { bytes, end: unfed.bytes + end };
    },
    history: (lines) => screen.history(lines),
    capture: (options) => screen.capture(options),
    cells: (maxBytes) => screen.cells(maxBytes),
    freeze: () => screen.freeze(),
    dispose: () => screen.dispose(),
  };
}
