import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { Endpoint, InstanceId } from "./identifiers.ts";

/** How often an instance that shares its rows with others says that it is there, in milliseconds. What it stated counts as
 * out of date once a heartbeat is missed. */
export const HEARTBEAT_MS = 5_000;

/** How long an instance that says nothing is believed to be there, in milliseconds. Then its rows are removed
 * (`instance_lost`) and it is listed as not reachable. */
export const LEASE_MS = 15_000;

/** One publisher that the answering instance knows of, itself included. */
export const InstanceInfo = Type.Object(
  {
    /** Absent until a peer has said who it is. */
    id: Type.Optional(InstanceId),
    /** Absent outside a mesh: there is no address that another host could use. */
    endpoint: Type.Optional(Endpoint),
    /** The host's name, for people. */
    host: Type.String({ minLength: 1 }),
    reachable: Type.Boolean(),
  },
  { $id: "InstanceInfo" },
);
export type InstanceInfo = Static<typeof InstanceInfo>;

/** The `instances` topic: each frame is the whole list as its `instance` sees it. */
export const InstancesFrame = topicFrame(
  "instances",
  Type.Object({ instances: Type.Array(InstanceInfo) }),
);
export type InstancesFrame = Static<typeof InstancesFrame>;
