import type { TopicFrame } from "../../../src/contract/envelope.ts";
import type { Span } from "./spans.ts";

/** What happened, as far as the test knows it for certain, and what readers were told. All times are milliseconds of one
 * clock, the one that publishers state `polled_at` in. */
export interface History {
  readonly instances: readonly InstanceTruth[];
  readonly readers: readonly ReaderHistory[];
  /** When the engine did not run or could not be written to. */
  readonly engineOut: readonly Span[];
  /** When the engine took no new values, and could be read. */
  readonly engineFull: readonly Span[];
  /** From when on nothing was disturbed and no row changed any more. */
  readonly quietFrom: number;
  readonly endsAt: number;
}

export interface InstanceTruth {
  readonly id: string;
  readonly runs: readonly Run[];
  /** When its process did not get on, from before the first signal to after the last. */
  readonly paused: readonly Span[];
  /** When its link to the engine was disturbed so that nothing came through. */
  readonly cut: readonly Span[];
  /** When its terminals could not be read. */
  readonly unread: readonly Span[];
  /** Every terminal that it ever had. */
  readonly rows: readonly RowTruth[];
}

/** One process of an instance, from before it was started to after it was seen to have ended. */
export interface Run extends Span {
  /** When it was seen to listen. */
  readonly listensAt: number;
  /** Whether there was none before it, so that it need not look whether another one has its id. */
  readonly isFirst: boolean;
  readonly ending: "killed" | "stopped" | "restarted" | "running";
  /** Of one that was stopped: when it was told to. */
  readonly toldAt?: number;
}

/** An event whose instant is not known: it may have happened from `since` on, and has by `sureBy`. */
export interface Instant {
  readonly since: number;
  readonly sureBy: number;
}

export interface Version extends Instant {
  readonly value: string;
}

export interface RowTruth {
  /** The `id` of its rows. */
  readonly key: string;
  readonly opened: Instant;
  /** The values that it was given one after the other, no value twice. Before the first it has some other one. */
  readonly versions: readonly Version[];
  readonly closed?: Instant;
}

export interface ReaderHistory {
  readonly name: string;
  /** The instance that it is connected to. */
  readonly gateway: string;
  readonly records: readonly ReaderRecord[];
}

export type ReaderRecord =
  | { readonly kind: "connected"; readonly at: number }
  | { readonly kind: "subscribed"; readonly at: number; readonly topic: string }
  | { readonly kind: "disconnected"; readonly at: number; readonly code: number }
  /** It went by itself. */
  | { readonly kind: "left"; readonly at: number }
  /** It stops and begins to take what it is sent. */
  | { readonly kind: "stalled" | "flowing"; readonly at: number }
  | FrameRecord;

/** `bytes`: of the line, its newline not counted. */
export interface FrameRecord {
  readonly kind: "frame";
  readonly at: number;
  readonly bytes: number;
  readonly frame: TopicFrame;
}
