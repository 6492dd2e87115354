import type { OutputSource } from "./source.ts";

/** Why a wait ended. */
export type Waited = "quiet" | "exit" | "match" | "timeout" | "closed";

/** What one kind of wait looks at. */
export interface Watch {
  /** Something about the output differs, or the wait begins. */
  look(): void;
  /** The time is over. */
  timeUp(): void;
  /** The wait is over. */
  end(): void;
}

/** How a watch tells what it found. What is told after the first is passed over. */
export interface Finder {
  found(waited: Waited): void;
  failed(error: unknown): void;
}

/** Until the program has ended and its last output is in. */
export function watchExit(source: OutputSource, { found }: Finder): Watch {
  return {
    look() {
      if (source.isEnded) found("exit");
    },
    timeUp: () => found("timeout"),
    end() {},
  };
}
