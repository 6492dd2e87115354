import type { FrameRecord } from "./history.ts";

/** The promises of PROTOCOL.md by their numbers, and what is broken where one is not kept. */
export const PROMISES = {
  P1: "snapshot first, and once",
  P2: "a snapshot replaces its instance and no other",
  P3: "readers hold what is there once it is quiet",
  P4: "no silent gap",
  P5: "versions of a row come in order, and the newest comes",
  P6: "unknown is not gone",
  P7: "death is told within its bound",
  P8: "nobody alive is declared dead, and who returns is shown whole",
  P9: "a slow reader costs nobody else anything",
  P10: "storms are bounded",
  P11: "what is out of date is told to be",
  P12: "only the owner states its rows",
  P13: "an outage of the engine degrades and does not lie",
  P14: "a position has one value",
  P15: "fields are passed on whole",
  P16: "frames are bounded",
} as const;

export type PromiseId = keyof typeof PROMISES;

/** A promise that was not kept towards one reader. */
export interface Violation {
  readonly promise: PromiseId;
  readonly reader: string;
  readonly at: number;
  /** Whose rows it is about; absent where it is about the connection. */
  readonly instance?: string;
  readonly msg: string;
  /** The reader's frames around it, of that instance. */
  readonly around: readonly FrameRecord[];
}

/** A violation as a check finds it. */
export type Finding = Omit<Violation, "around">;
