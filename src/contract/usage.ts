import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { InstanceId, TerminalId, Timestamp } from "./identifiers.ts";
import { RemovalReason } from "./sources.ts";

/** What the processes of one terminal use together. There is no row before the second sample, since
 * a share of the processor is a difference of two. */
export const TerminalUsage = Type.Object(
  {
    instance: InstanceId,
    id: TerminalId,
    /** Per cent of one core, so more than 100 on several. */
    cpu_percent: Type.Number({ minimum: 0 }),
    /** Resident memory in bytes. */
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
