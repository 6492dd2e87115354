import type { Cancel } from "../../time/clock.ts";
import type { FollowingText } from "../plain/following-text.ts";

/** A terminal's output as waits see it. */
export interface OutputSource {
  /** Offset after the last byte. */
  readonly end: number;
  /** The program has ended, and its last output is in. */
  readonly isEnded: boolean;
  /** The terminal is gone. */
  readonly isClosed: boolean;
  /** Calls the listener when output has come, when the last is in, and when it is gone, each time after the fields say so.
   * The answer ends it. */
  onOutput(listener: () => void): Cancel;
  readonly texts: FollowedTexts;
}

/** Texts of one terminal's output, each shared by all who look from the same offset. */
export interface FollowedTexts {
  /** Must be given back. */
  take(from: number): FollowingText;
  giveBack(text: FollowingText): void;
}
