import type { Look } from "./look.ts";
import type { PassedLines } from "./passed.ts";

/** What a pane shows, and where that is in all that it has shown. */
export interface Scene {
  readonly look: Look;
  /** The lines that went into its history; how many of them had when it was looked at. */
  readonly passed: PassedLines;
  readonly end: number;
}
