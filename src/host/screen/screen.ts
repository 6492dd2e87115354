import type { CellScreen } from "./cell-screen.ts";
import type { Capture, CaptureOptions } from "./shown.ts";
import type { Theme } from "./theme.ts";

/** What a terminal shows, kept up to date off the main thread. Everything happens in the order of the calls. */
export interface Screen {
  /** Takes output. The bytes are copied. What is past was answered already, by another screen or before this one was
   * needed. Nothing is refused: whoever feeds stops reading while `backlog` is large. */
  feed(bytes: Uint8Array, isPast?: boolean): void;
  /** Has what was fed parsed without delay: somebody waits for an answer to it. */
  flush(): void;
  /** Bytes that are not parsed yet. */
  readonly backlog: number;
  /** Another size from here on: what was fed before is parsed at the old one. Columns from 2, rows from 1. */
  resize(cols: number, rows: number): void;
  /** Other colours for programs that ask; one that wants to be told (mode 2031) is. */
  setTheme(theme: Theme): void;
  /** A repaint for a terminal of the same size, whatever state that is in, and how many bytes were fed before it. With
   * `history` so many lines come first and end up above the screen; without, the screen alone. */
  snapshot(options?: { readonly history?: number }): Promise<{ bytes: Buffer; end: number }>;
  /** At most 500 lines of history that end `from` lines above the screen, the oldest first, each ended by CR LF. */
  history(lines: { readonly from: number; readonly count: number }): Promise<Buffer>;
  /** The screen as text, with lines of history before it where it has any. */
  capture(options: CaptureOptions): Promise<Capture>;
  /** What the screen shows cell by cell. Rejects with the words of CELLS_TOO_LARGE where it is more than so many bytes of
   * JSON. */
  cells(maxBytes: number): Promise<CellScreen>;
  /** Keeps the screen as a few bytes until it is next used, when nothing is in its queue; for terminals that have been
   * idle. */
  freeze(): Promise<void>;
  /** Ends it; what was asked and not answered fails. Calls after it do nothing. */
  dispose(): void;
}
