import { type Static, Type } from "@sinclair/typebox";
import { request, response } from "./envelope.ts";
import { InstanceId, Pid, Timestamp } from "./identifiers.ts";

export const InstancePingArgs = Type.Object({});
export type InstancePingArgs = Static<typeof InstancePingArgs>;

/** The process that publishes, in its own words. Whoever is asked speaks of itself, so the request goes to no other instance. */
export const InstancePingResult = Type.Object({
  instance: InstanceId,
  version: Type.String(),
  pid: Pid,
  started_at: Timestamp,
  /** How many connections it has open, with the one that asks. */
  clients: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  /** The program that runs it, and the file that this runs. */
  exe: Type.Optional(Type.String()),
  script: Type.Optional(Type.String()),
  /** Where it listens for HTTP, as `host:port`. Empty where it does not. */
  http: Type.Array(Type.String()),
  /** What it knows of the host's network. `off` where it does not look, as termtopic does not. */
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
