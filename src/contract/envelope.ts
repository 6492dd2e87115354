import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { ErrorBody } from "./errors.ts";
import { InstanceId, MAX_EXACT_INTEGER, Role, Sid } from "./identifiers.ts";

/** The generation of the contract: greetings of another one are refused. Within a generation only
 * optional fields, whole new ops and whole new topics are added. */
export const PROTOCOL_VERSION = 4;

/** The longest line, newline not counted, in bytes: request, reply and topic frame alike. A sender
 * splits a topic frame that would be longer; a longer request is answered `bad_request`. */
export const MAX_FRAME_BYTES = 1_048_576;

const RequestId = Type.String({ minLength: 1 });

/** On whose behalf a forwarded request is made. `sid` is there exactly when the role is `session`. */
export const CallerIdentity = Type.Object(
  { role: Role, sid: Type.Optional(Sid) },
  { $id: "CallerIdentity" },
);
export type CallerIdentity = Static<typeof CallerIdentity>;

/** What every request carries beside its arguments. `request_id` pairs the reply with it and needs
 * to be unique only among the requests that one connection has in flight. The other fields are for
 * requests that travel between instances. */
export const RequestEnvelope = Type.Object(
  {
    request_id: RequestId,
    to_instance: Type.Optional(InstanceId),
    from_instance: Type.Optional(InstanceId),
    hops: Type.Optional(Type.Array(InstanceId)),
    caller: Type.Optional(CallerIdentity),
  },
  { $id: "RequestEnvelope" },
);
export type RequestEnvelope = Static<typeof RequestEnvelope>;

/** The schema of an op's request: its name, its arguments at top level, and the envelope. */
export function request<Op extends string, T extends TSchema>(op: Op, args: T) {
  return Type.Intersect([Type.Object({ op: Type.Literal(op) }), args, RequestEnvelope], {
    $id: `${op}:request`,
  });
}

/** The schema of an op's success: `ok: true`, the id of the request, and the body at top level. */
export function response<Op extends string, T extends TSchema>(op: Op, body: T) {
  return Type.Intersect([Type.Object({ ok: Type.Literal(true), request_id: RequestId }), body], {
    $id: `${op}:response`,
  });
}

/** A failure. `request_id` is absent only where the request had none that could be read. */
export const ErrorResponse = Type.Object(
  { ok: Type.Literal(false), request_id: Type.Optional(RequestId), error: ErrorBody },
  { $id: "ErrorResponse" },
);
export type ErrorResponse = Static<typeof ErrorResponse>;

/** One start of a producer: 16 hex characters, random. */
export const Epoch = Type.String({ $id: "Epoch", pattern: "^[0-9a-f]{16}$" });
export type Epoch = Static<typeof Epoch>;

/** A place in the history of one instance's rows of one topic within an epoch. */
export const Position = Type.Integer({ $id: "Position", minimum: 0, maximum: MAX_EXACT_INTEGER });
export type Position = Static<typeof Position>;

/** How often a publisher that keeps a chain says that it is still reading, in milliseconds: an empty
 * change after a real reading of every source. A reader that hears nothing for 2.5 of these holds rows
 * that may be stale. Longer would make a dead publisher look quiet, shorter costs each reader traffic. */
export const BOOKMARK_MS = 10_000;

/** The schema of a topic's frames. Snapshot and change share it: a snapshot says `snapshot: true`,
 * a change leaves the field out. `topic` is the full name, parameter included. `instance` is who produced the rows, whoever relays them.
 *
 * `epoch`, `seq` and `prev_seq` are the chain: where the rows stand after the frame, and where they
 * must stand before it. All three are absent from a publisher that keeps no chain. `more` is true on
 * every part of a split frame but the last. */
export function topicFrame<Topic extends string, T extends TSchema>(topic: Topic, data: T) {
  return Type.Intersect(
    [
      Type.Object({
        ev: Type.Literal("topic"),
        topic: Type.String({ minLength: 1 }),
        snapshot: Type.Optional(Type.Literal(true)),
        instance: InstanceId,
        epoch: Type.Optional(Epoch),
        seq: Type.Optional(Position),
        prev_seq: Type.Optional(Position),
        more: Type.Optional(Type.Literal(true)),
      }),
      Type.Object({ data }),
    ],
    { $id: `topic:${topic}` },
  );
}

/** What every topic frame has in common, for code that carries frames and reads no rows. */
export interface TopicFrame<Data = unknown> {
  readonly ev: "topic";
  readonly topic: string;
  readonly snapshot?: true;
  readonly instance: InstanceId;
  readonly epoch?: Epoch;
  readonly seq?: Position;
  readonly prev_seq?: Position;
  readonly more?: true;
  readonly data: Data;
}
