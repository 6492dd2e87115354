import type { Static } from "@sinclair/typebox";
import agentsChange from "../fixtures/valid/AgentsFrame/change.json" with { type: "json" };
import agentsFrame from "../fixtures/valid/AgentsFrame/snapshot.json" with { type: "json" };
import authRecordsFrame from "../fixtures/valid/AuthRecordsFrame/snapshot.json" with {
  type: "json",
};
import errorResponse from "../fixtures/valid/ErrorResponse/paired.json" with { type: "json" };
import helloInstanceRequest from "../fixtures/valid/HelloInstanceRequest/greeting.json" with {
  type: "json",
};
import helloInstanceResponse from "../fixtures/valid/HelloInstanceResponse/in-a-mesh.json" with {
  type: "json",
};
import helloSessionRequest from "../fixtures/valid/HelloSessionRequest/greeting.json" with {
  type: "json",
};
import helloSessionResponse from "../fixtures/valid/HelloSessionResponse/alone.json" with {
  type: "json",
};
import helloUserRequest from "../fixtures/valid/HelloUserRequest/greeting.json" with {
  type: "json",
};
import helloUserResponse from "../fixtures/valid/HelloUserResponse/alone.json" with {
  type: "json",
};
import inboxFrame from "../fixtures/valid/InboxFrame/change.json" with { type: "json" };
import instancePingRequest from "../fixtures/valid/InstancePingRequest/ping.json" with {
  type: "json",
};
import instancePingResponse from "../fixtures/valid/InstancePingResponse/running.json" with {
  type: "json",
};
import instancesFrame from "../fixtures/valid/InstancesFrame/snapshot.json" with { type: "json" };
import kvFrame from "../fixtures/valid/KvFrame/snapshot.json" with { type: "json" };
import llmRequestsFrame from "../fixtures/valid/LlmRequestsFrame/snapshot.json" with {
  type: "json",
};
import llmStatusFrame from "../fixtures/valid/LlmStatusFrame/snapshot.json" with { type: "json" };
import notifyFrame from "../fixtures/valid/NotifyFrame/event.json" with { type: "json" };
import peersFrame from "../fixtures/valid/PeersFrame/change.json" with { type: "json" };
import restarting from "../fixtures/valid/RestartingEvent/restarting.json" with { type: "json" };
import sessionErrorsFrame from "../fixtures/valid/SessionErrorsFrame/change.json" with {
  type: "json",
};
import sessionStatusFrame from "../fixtures/valid/SessionStatusFrame/snapshot.json" with {
  type: "json",
};
import terminalCaptureRequest from "../fixtures/valid/TerminalCaptureRequest/screen.json" with {
  type: "json",
};
import terminalCaptureResponse from "../fixtures/valid/TerminalCaptureResponse/screen.json" with {
  type: "json",
};
import terminalCloseRequest from "../fixtures/valid/TerminalCloseRequest/idle.json" with {
  type: "json",
};
import terminalCloseResponse from "../fixtures/valid/TerminalCloseResponse/closed.json" with {
  type: "json",
};
import terminalGoneRequest from "../fixtures/valid/TerminalGoneRequest/asked.json" with {
  type: "json",
};
import terminalGoneResponse from "../fixtures/valid/TerminalGoneResponse/closed.json" with {
  type: "json",
};
import terminalOpenRequest from "../fixtures/valid/TerminalOpenRequest/command.json" with {
  type: "json",
};
import terminalOpenResponse from "../fixtures/valid/TerminalOpenResponse/opened.json" with {
  type: "json",
};
import terminalReadRequest from "../fixtures/valid/TerminalReadRequest/match.json" with {
  type: "json",
};
import terminalReadResponse from "../fixtures/valid/TerminalReadResponse/matched.json" with {
  type: "json",
};
import terminalRenameRequest from "../fixtures/valid/TerminalRenameRequest/named.json" with {
  type: "json",
};
import terminalRenameResponse from "../fixtures/valid/TerminalRenameResponse/named.json" with {
  type: "json",
};
import terminalResizeRequest from "../fixtures/valid/TerminalResizeRequest/wider.json" with {
  type: "json",
};
import terminalResizeResponse from "../fixtures/valid/TerminalResizeResponse/wider.json" with {
  type: "json",
};
import terminalSendRequest from "../fixtures/valid/TerminalSendRequest/keys.json" with {
  type: "json",
};
import terminalSendResponse from "../fixtures/valid/TerminalSendResponse/typed.json" with {
  type: "json",
};
import terminalSignalRequest from "../fixtures/valid/TerminalSignalRequest/interrupt.json" with {
  type: "json",
};
import terminalSignalResponse from "../fixtures/valid/TerminalSignalResponse/sent.json" with {
  type: "json",
};
import terminalsBookmark from "../fixtures/valid/TerminalsFrame/bookmark.json" with {
  type: "json",
};
import terminalsChange from "../fixtures/valid/TerminalsFrame/change.json" with { type: "json" };
import terminalsFrame from "../fixtures/valid/TerminalsFrame/snapshot.json" with { type: "json" };
import terminalsWithAdditions from "../fixtures/valid/TerminalsFrame/snapshot-with-additions.json" with {
  type: "json",
};
import terminalsUsageChange from "../fixtures/valid/TerminalsUsageFrame/change.json" with {
  type: "json",
};
import terminalsUsageFrame from "../fixtures/valid/TerminalsUsageFrame/snapshot.json" with {
  type: "json",
};
import topicSubscribeRequest from "../fixtures/valid/TopicSubscribeRequest/terminals.json" with {
  type: "json",
};
import topicSubscribeResponse from "../fixtures/valid/TopicSubscribeResponse/terminals.json" with {
  type: "json",
};
import topicUnsubscribeRequest from "../fixtures/valid/TopicUnsubscribeRequest/terminals.json" with {
  type: "json",
};
import topicUnsubscribeResponse from "../fixtures/valid/TopicUnsubscribeResponse/terminals.json" with {
  type: "json",
};
import transcriptFrame from "../fixtures/valid/TranscriptFrame/snapshot.json" with { type: "json" };
import transcriptItemsFrame from "../fixtures/valid/TranscriptItemsFrame/snapshot.json" with {
  type: "json",
};
import type { AgentsFrame } from "./contract/agents.ts";
import type { ErrorResponse } from "./contract/envelope.ts";
import type { RestartingEvent } from "./contract/events.ts";
import type { OpName } from "./contract/ops.ts";
import type { OP_SCHEMAS, TOPIC_SCHEMAS } from "./contract/schemas.ts";
import type { TerminalsFrame } from "./contract/terminals.ts";
import type { TopicKind } from "./contract/topics.ts";
import type { TerminalsUsageFrame } from "./contract/usage.ts";

/** The instant that the fixtures call now. */
export const FIXTURE_NOW = 1_757_300_000_000;

/** The instance that states them. */
export const FIXTURE_INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";

export type TopicFixture<Kind extends TopicKind> = Static<(typeof TOPIC_SCHEMAS)[Kind]>;

export interface OpFixture<Op extends OpName> {
  readonly request: Static<(typeof OP_SCHEMAS)[Op]["request"]>;
  readonly response: Static<(typeof OP_SCHEMAS)[Op]["response"]>;
}

// A JSON module's type has lost the words that its strings are, so each is given the type of its schema
// here; that every file fits its schema is what the contract's tests hold.
const frame = <Kind extends TopicKind>(_: Kind, json: unknown) => json as TopicFixture<Kind>;
const op = <Op extends OpName>(_: Op, request: unknown, response: unknown) =>
  ({ request, response }) as OpFixture<Op>;

/** A request and its reply, for every op. */
export const OP_FIXTURES: { readonly [Op in OpName]: OpFixture<Op> } = {
  "hello.user": op("hello.user", helloUserRequest, helloUserResponse),
  "hello.session": op("hello.session", helloSessionRequest, helloSessionResponse),
  "hello.instance": op("hello.instance", helloInstanceRequest, helloInstanceResponse),
  "instance.ping": op("instance.ping", instancePingRequest, instancePingResponse),
  "topic.subscribe": op("topic.subscribe", topicSubscribeRequest, topicSubscribeResponse),
  "topic.unsubscribe": op("topic.unsubscribe", topicUnsubscribeRequest, topicUnsubscribeResponse),
  "terminal.open": op("terminal.open", terminalOpenRequest, terminalOpenResponse),
  "terminal.send": op("terminal.send", terminalSendRequest, terminalSendResponse),
  "terminal.read": op("terminal.read", terminalReadRequest, terminalReadResponse),
  "terminal.capture": op("terminal.capture", terminalCaptureRequest, terminalCaptureResponse),
  "terminal.resize": op("terminal.resize", terminalResizeRequest, terminalResizeResponse),
  "terminal.signal": op("terminal.signal", terminalSignalRequest, terminalSignalResponse),
  "terminal.close": op("terminal.close", terminalCloseRequest, terminalCloseResponse),
  "terminal.rename": op("terminal.rename", terminalRenameRequest, terminalRenameResponse),
  "terminal.gone": op("terminal.gone", terminalGoneRequest, terminalGoneResponse),
};

/** A frame for every topic. For those with rows it states some; AGENTS_CHANGE_FRAME and
 * TERMINALS_CHANGE_FRAME are what follows. */
export const TOPIC_FIXTURES: { readonly [Kind in TopicKind]: TopicFixture<Kind> } = {
  inbox: frame("inbox", inboxFrame),
  notify: frame("notify", notifyFrame),
  peers: frame("peers", peersFrame),
  instances: frame("instances", instancesFrame),
  agents: frame("agents", agentsFrame),
  terminals: frame("terminals", terminalsFrame),
  "terminals.usage": frame("terminals.usage", terminalsUsageFrame),
  "session.errors": frame("session.errors", sessionErrorsFrame),
  "llm.requests": frame("llm.requests", llmRequestsFrame),
  "llm.status": frame("llm.status", llmStatusFrame),
  "session.status": frame("session.status", sessionStatusFrame),
  transcript: frame("transcript", transcriptFrame),
  "transcript.items": frame("transcript.items", transcriptItemsFrame),
  kv: frame("kv", kvFrame),
  "auth.records": frame("auth.records", authRecordsFrame),
};

/** A snapshot of two terminals, without any addition to the original contract. */
export const TERMINALS_FRAME: TerminalsFrame = TOPIC_FIXTURES.terminals;

/** A later frame: one of the terminals was closed. */
export const TERMINALS_CHANGE_FRAME: TerminalsFrame = frame("terminals", terminalsChange);

/** A snapshot with every addition. */
export const TERMINALS_ADDITIONS_FRAME: TerminalsFrame = frame("terminals", terminalsWithAdditions);

/** A frame that only says that the rows are up to date. */
export const TERMINALS_BOOKMARK_FRAME: TerminalsFrame = frame("terminals", terminalsBookmark);

/** A snapshot of two runs: one in a terminal of TERMINALS_FRAME, one in the background. */
export const AGENTS_FRAME: AgentsFrame = TOPIC_FIXTURES.agents;

/** A later frame: the one in the background ended. */
export const AGENTS_CHANGE_FRAME: AgentsFrame = frame("agents", agentsChange);

export const TERMINALS_USAGE_FRAME: TerminalsUsageFrame = TOPIC_FIXTURES["terminals.usage"];
export const TERMINALS_USAGE_CHANGE_FRAME: TerminalsUsageFrame = frame(
  "terminals.usage",
  terminalsUsageChange,
);
export const RESTARTING_EVENT = restarting as RestartingEvent;
export const ERROR_RESPONSE = errorResponse as ErrorResponse;
