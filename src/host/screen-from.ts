import type { Screen } from "./screen/screen.ts";

/** A screen whose first output is not what the terminal began with: it counts what it was fed, and the terminal counts from
 * `start` bytes before that. */
export function screenFrom(start: number, screen: Screen): Screen {
  if (start === 0) return screen;
  return {
    get backlog() {
      return screen.backlog;
    },
    feed: (bytes, isPast) => screen.feed(bytes, isPast),
    flush: () => screen.flush(),
    resize: (cols, rows) => screen.resize(cols, rows),
    setTheme: (theme) => screen.setTheme(theme),
    async snapshot(options) {
      const { bytes, end } = await screen.snapshot(options);
      return { bytes, end: start + end };
    },
    history: (lines) => screen.history(lines),
    capture: (options) => screen.capture(options),
    cells: (maxBytes) => screen.cells(maxBytes),
    freeze: () => screen.freeze(),
    dispose: () => screen.dispose(),
  };
}
