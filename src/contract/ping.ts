import { type Static, Type } from "@sinclair/typebox";
import { request, response } from "./envelope.ts";
import { InstanceId, Pid, Timestamp } from "./identifiers.ts";

export const InstancePingArgs = Type.Object({});
export type InstancePingArgs = Static<typeof InstancePingArgs>;

/** How the answering process is running. It is about that one process, so it is never forwarded. */
export const InstancePingResult = Type.Object({
  instance: InstanceId,
  version: Type.String(),
  pid: Pid,
  started_at: Timestamp,
  /** Connections that are open now, the asking one included. */
  clients: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  /** The interpreter and the entry script it runs. */
  exe: Type.Optional(Type.String()),
  script: Type.Optional(Type.String()),
  /** Bound HTTP addresses as `host:port`. Empty when there is none. */
  http: Type.Array(Type.String()),
  /** The host's network link as the instance sees it. `off`: it does not look. */
  network: Type.Union([
    Type.Literal("off"),
    Type.Literal("unknown"),
    Type.Literal("online"),
    Type.Literal("offline"),
  ]),
});
export type InstancePingResult = Static<typeof InstancePingResult>;

export const InstancePingRequest = request("instance.ping", InstancePingArgs);
export const InstancePingResponse = response("instance.ping", InstancePingResult);
