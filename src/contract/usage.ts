import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { InstanceId, TerminalId, Timestamp } from "./identifiers.ts";
import { RemovalReason } from "./sources.ts";

/** How often a publisher looks at what the terminals use while somebody is subscribed, in milliseconds. Processor time
 * is counted in hundredths of a second, so a shorter time would state shares more coarsely; a longer one would show
 * late what is busy. */
export const USAGE_SAMPLE_MS = 2_000;

/** How far `cpu_percent` moves from what was stated last before the row is stated again: this many percentage points,
 * or that part of what was stated, whichever is more. Shares are stated in whole steps, so that an idle terminal comes
 * to 0. Both keep a row quiet whose processes are as busy as before. */
export const USAGE_CPU_STEP = 1;
export const USAGE_CPU_STEP_PART = 0.05;

/** The same of `memory_bytes`: this many bytes, or that part of what was stated, whichever is more. */
export const USAGE_MEMORY_STEP_BYTES = 1_048_576;
export const USAGE_MEMORY_STEP_PART = 0.01;

/** What the processes of one terminal use together: those that the terminal's own started too. There is no row before
 * the second sample, since a share of the processor is a difference of two, and none while no process is in the terminal.
 *
 * The two figures are as of the last sample that moved one of them by its step: what holds now is less than a step away
 * from either. */
export const TerminalUsage = Type.Object(
  {
    instance: InstanceId,
    id: TerminalId,
    /** The time that its processes ran for, those included that ended meanwhile, in per cent of one core: more than 100 on
     * several. */
    cpu_percent: Type.Number({ minimum: 0 }),
    /** Resident memory in bytes. What several of the processes share counts for each of them. */
    memory_bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { $id: "TerminalUsage" },
);
export type TerminalUsage = Static<typeof TerminalUsage>;

export const TerminalUsageRemoved = Type.Object(
  {
    instance: InstanceId,
    id: TerminalId,
    removed: Type.Literal(true),
    removed_at: Type.Optional(Timestamp),
    reason: Type.Optional(RemovalReason),
  },
  { $id: "TerminalUsageRemoved" },
);
export type TerminalUsageRemoved = Static<typeof TerminalUsageRemoved>;

export const TerminalUsageElement = Type.Union([TerminalUsage, TerminalUsageRemoved], {
  $id: "TerminalUsageElement",
});
export type TerminalUsageElement = Static<typeof TerminalUsageElement>;

/** The `terminals.usage` topic: matched by `instance` and `id` like `terminals`, and apart from it so
 * that its rows stay quiet while a processor does not. */
export const TerminalsUsageFrame = topicFrame(
  "terminals.usage",
  Type.Object({
    usage: Type.Array(TerminalUsageElement),
    polled_at: Type.Optional(Timestamp),
  }),
);
export type TerminalsUsageFrame = Static<typeof TerminalsUsageFrame>;
