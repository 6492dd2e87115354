import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  TerminalCaptureRequest,
  TerminalCaptureResponse,
  TerminalCloseRequest,
  TerminalCloseResponse,
  TerminalGoneRequest,
  TerminalGoneResponse,
  TerminalOpenRequest,
  TerminalOpenResponse,
  TerminalReadRequest,
  TerminalReadResponse,
  TerminalRenameRequest,
  TerminalRenameResponse,
  TerminalResizeRequest,
  TerminalResizeResponse,
  TerminalSendRequest,
  TerminalSendResponse,
  TerminalSignalRequest,
  TerminalSignalResponse,
} from "./acting.ts";
import { AgentsFrame } from "./agents.ts";
import { topicFrame } from "./envelope.ts";
import {
  HelloInstanceRequest,
  HelloInstanceResponse,
  HelloSessionRequest,
  HelloSessionResponse,
  HelloUserRequest,
  HelloUserResponse,
} from "./hello.ts";
import { InstancesFrame } from "./instances.ts";
import type { OpName } from "./ops.ts";
import { InstancePingRequest, InstancePingResponse } from "./ping.ts";
import { InboxFrame, PeersFrame, SessionErrorsFrame } from "./sessions.ts";
import { TerminalsFrame } from "./terminals.ts";
import {
  type TopicKind,
  TopicSubscribeRequest,
  TopicSubscribeResponse,
  TopicUnsubscribeRequest,
  TopicUnsubscribeResponse,
} from "./topics.ts";
import { TerminalsUsageFrame } from "./usage.ts";

/** Request and reply of every op. An op without its pair does not compile. */
export const OP_SCHEMAS = {
  "hello.user": { request: HelloUserRequest, response: HelloUserResponse },
  "hello.session": { request: HelloSessionRequest, response: HelloSessionResponse },
  "hello.instance": { request: HelloInstanceRequest, response: HelloInstanceResponse },
  "instance.ping": { request: InstancePingRequest, response: InstancePingResponse },
  "topic.subscribe": { request: TopicSubscribeRequest, response: TopicSubscribeResponse },
  "topic.unsubscribe": { request: TopicUnsubscribeRequest, response: TopicUnsubscribeResponse },
  "terminal.open": { request: TerminalOpenRequest, response: TerminalOpenResponse },
  "terminal.send": { request: TerminalSendRequest, response: TerminalSendResponse },
  "terminal.read": { request: TerminalReadRequest, response: TerminalReadResponse },
  "terminal.capture": { request: TerminalCaptureRequest, response: TerminalCaptureResponse },
  "terminal.resize": { request: TerminalResizeRequest, response: TerminalResizeResponse },
  "terminal.signal": { request: TerminalSignalRequest, response: TerminalSignalResponse },
  "terminal.close": { request: TerminalCloseRequest, response: TerminalCloseResponse },
  "terminal.rename": { request: TerminalRenameRequest, response: TerminalRenameResponse },
  "terminal.gone": { request: TerminalGoneRequest, response: TerminalGoneResponse },
} as const satisfies Record<OpName, { request: TSchema; response: TSchema }>;

/** What a request of an op looks like. */
export type RequestOf<Op extends OpName> = Static<(typeof OP_SCHEMAS)[Op]["request"]>;

/** The frame of a topic that belongs to other parts of a ccmsg instance. termtopic knows its name,
 * roles and granularity and states nothing about its data. */
const foreignFrame = <Kind extends TopicKind>(kind: Kind) => topicFrame(kind, Type.Unknown());

/** The frame of every topic kind. A kind without one does not compile. */
export const TOPIC_SCHEMAS = {
  inbox: InboxFrame,
  notify: foreignFrame("notify"),
  peers: PeersFrame,
  instances: InstancesFrame,
  agents: AgentsFrame,
  terminals: TerminalsFrame,
  "terminals.usage": TerminalsUsageFrame,
  "session.errors": SessionErrorsFrame,
  "llm.requests": foreignFrame("llm.requests"),
  "llm.status": foreignFrame("llm.status"),
  "session.status": foreignFrame("session.status"),
  transcript: foreignFrame("transcript"),
  "transcript.items": foreignFrame("transcript.items"),
  kv: foreignFrame("kv"),
  "auth.records": foreignFrame("auth.records"),
} as const satisfies Record<TopicKind, TSchema>;
