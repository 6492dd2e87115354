import { type Static, Type } from "@sinclair/typebox";
import { topicFrame } from "./envelope.ts";
import { InstanceId, Mid, Sid, Timestamp } from "./identifiers.ts";

/** A session that an instance knows of, as far as a publisher of terminals has to read it: who it is.
 * What else a daemon states about it is carried through. Identified by `instance` and `sid`. */
export const PeerInfo = Type.Object({ sid: Sid, instance: InstanceId }, { $id: "PeerInfo" });
export type PeerInfo = Static<typeof PeerInfo>;

export const PeerRemoved = Type.Object(
  { sid: Sid, instance: InstanceId, removed: Type.Literal(true) },
  { $id: "PeerRemoved" },
);
export type PeerRemoved = Static<typeof PeerRemoved>;

/** The `peers` topic: sessions that changed. termtopic knows none and states an empty list. */
export const PeersFrame = topicFrame(
  "peers",
  Type.Object({ peers: Type.Array(Type.Union([PeerInfo, PeerRemoved])) }),
);
export type PeersFrame = Static<typeof PeersFrame>;

/** A message for a session. */
export const InboxMessage = Type.Object(
  {
    mid: Mid,
    from: Sid,
    /** How the sender is shown. */
    from_label: Type.String(),
    text: Type.String(),
    reply_to: Type.Optional(Mid),
    sent_at: Timestamp,
  },
  { $id: "InboxMessage" },
);
export type InboxMessage = Static<typeof InboxMessage>;

/** The `inbox` topic: first what is undelivered, then each message as it comes. Its data is the bare
 * list. termtopic delivers none. */
export const InboxFrame = topicFrame("inbox", Type.Array(InboxMessage));
export type InboxFrame = Static<typeof InboxFrame>;

/** The `session.errors` topic: whole per instance, the sessions that stand still on an error. Only who
 * they are is read here. */
export const SessionErrorsFrame = topicFrame(
  "session.errors",
  Type.Object({ errors: Type.Array(Type.Object({ sid: Sid, instance: InstanceId })) }),
);
export type SessionErrorsFrame = Static<typeof SessionErrorsFrame>;
