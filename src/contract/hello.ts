import { type Static, Type } from "@sinclair/typebox";
import { request, response } from "./envelope.ts";
import {
  Capability,
  Endpoint,
  InstanceId,
  Pid,
  Sid,
  TerminalGateway,
  Timestamp,
} from "./identifiers.ts";
import { InstanceInfo } from "./instances.ts";

const Generation = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const greeting = {
  /** The generation that the caller speaks. Another one than the answerer's is refused. */
  protocol_version: Generation,
  /** The caller's build, for display only. */
  client_version: Type.Optional(Type.String()),
};

/** What a session says about itself. A field left out keeps what an earlier greeting of the same
 * sid stated. */
const sessionMeta = {
  repo: Type.Optional(Type.String()),
  ws: Type.Optional(Type.String()),
  cwd: Type.Optional(Type.String()),
  transcript_path: Type.Optional(Type.String()),
  repo_root: Type.Optional(Type.String()),
  branch: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  effort: Type.Optional(Type.String()),
};

/** A person's client. */
export const HelloUserArgs = Type.Object(greeting);
export type HelloUserArgs = Static<typeof HelloUserArgs>;

/** A session of an agent. `pid` is the agent's own process, not the helper that greets for it. */
export const HelloSessionArgs = Type.Object({
  ...greeting,
  sid: Sid,
  pid: Type.Optional(Pid),
  ...sessionMeta,
});
export type HelloSessionArgs = Static<typeof HelloSessionArgs>;

/** How an instance of a mesh proves who it is: mesh version, issuer, audience, id and key id. */
export const MeshProof = Type.Object(
  {
    ver: Generation,
    iss: Endpoint,
    aud: Endpoint,
    id: InstanceId,
    kid: Type.String({ minLength: 16 }),
  },
  { $id: "MeshProof" },
);
export type MeshProof = Static<typeof MeshProof>;

/** Another instance of a mesh. */
export const HelloInstanceArgs = Type.Object({ ...greeting, mesh: MeshProof });
export type HelloInstanceArgs = Static<typeof HelloInstanceArgs>;

/** The answer to each of the three greetings. */
export const HelloResult = Type.Object(
  {
    protocol_version: Generation,
    /** Who answers. */
    instance: InstanceId,
    /** Absent when the instance is in no mesh. */
    endpoint: Type.Optional(Endpoint),
    /** Every instance the answerer knows, itself included. */
    instances: Type.Array(InstanceInfo),
    capabilities: Type.Array(Capability),
    /** The answerer's build, for display only. */
    version: Type.String(),
    started_at: Timestamp,
    terminal_gateway: Type.Optional(TerminalGateway),
    /** Until when the connection is let in. Absent where its proof does not lapse. */
    auth_expires_at: Type.Optional(Timestamp),
    /** There where the connection was let in to look and not to act. */
    read_only: Type.Optional(Type.Literal(true)),
  },
  { $id: "HelloResult" },
);
export type HelloResult = Static<typeof HelloResult>;

export const HelloUserRequest = request("hello.user", HelloUserArgs);
export const HelloUserResponse = response("hello.user", HelloResult);
export const HelloSessionRequest = request("hello.session", HelloSessionArgs);
export const HelloSessionResponse = response("hello.session", HelloResult);
export const HelloInstanceRequest = request("hello.instance", HelloInstanceArgs);
export const HelloInstanceResponse = response("hello.instance", HelloResult);
