import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { InstanceId, Pid, Sid, StartTick, TerminalId, Timestamp } from "./identifiers.ts";
import { RemovalReason, SourceInfo } from "./sources.ts";

/** One run of an agent: a process, and the session it runs where one is known.
 *
 * Identified by `instance` and `pid`, never by `sid`: two processes may run one session. */
export const AgentInfo = Type.Object(
  {
    instance: InstanceId,
    pid: Pid,
    cwd: Type.String(),
    /** How it was started, such as `interactive` or `background`. An open set of the harness. */
    kind: Type.String(),
    started_at: Timestamp,
    /** The configuration folder that it reads. */
    config_dir: Type.String(),
    /** Absent while the process has no session yet. */
    sid: Type.Optional(Sid),
    name: Type.Optional(Type.String()),
    /** What it is doing, in the harness's own words. An open set; only `waiting` has a meaning here. */
    status: Type.Optional(Type.String()),
    /** Since when `status` holds. */
    status_at: Type.Optional(Timestamp),
    /** What a person is asked for while it waits. */
    waiting_for: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    background_id: Type.Optional(Type.String()),
    /** The terminal it runs in. Where the instance publishes `terminals` too, the pids there decide. */
    terminal_id: Type.Optional(TerminalId),
    /** The name space of that terminal within its manager. Absent means the manager's default. */
    terminal_namespace: Type.Optional(Type.String()),
    /** The start of `pid` as the kernel counts it. */
    start_tick: Type.Optional(StartTick),
  },
  { $id: "AgentInfo", description: "upstream: claude — kind, status, waiting_for, state" },
);
export type AgentInfo = Static<typeof AgentInfo>;

/** A run that has ended. */
export const AgentRemoved = Type.Object(
  {
    instance: InstanceId,
    pid: Pid,
    removed: Type.Literal(true),
    removed_at: Type.Optional(Timestamp),
    reason: Type.Optional(RemovalReason),
  },
  { $id: "AgentRemoved" },
);
export type AgentRemoved = Static<typeof AgentRemoved>;

export const AgentElement = Type.Union([AgentInfo, AgentRemoved], { $id: "AgentElement" });
export type AgentElement = Static<typeof AgentElement>;

/** The `agents` topic: the runs that changed, matched by `instance` and `pid`. */
export const AgentsFrame = topicFrame(
  "agents",
  Type.Object({
    agents: Type.Array(AgentElement),
    /** When the runs were last read with success. A publisher that has not managed that yet leaves it out. */
    polled_at: Type.Optional(Timestamp),
    /** Every source, whole; absent means unchanged. */
    sources: Type.Optional(Type.Array(SourceInfo)),
  }),
);
export type AgentsFrame = Static<typeof AgentsFrame>;
