import { type Static, Type } from "@sinclair/typebox";
import { Timestamp } from "./identifiers.ts";

/** How a source of rows stands.
 *
 * - `ok`: its last reading was good; its rows are what is there.
 * - `absent`: there is nothing to read, and that is known: the manager is not installed or not
 *   running. It has no rows.
 * - `failing`: it could not be read. Its rows are the last good ones and may be out of date.
 * - `starting`: it has not been read yet; nothing is known of its rows. */
export const SourceStatus = Type.Union(
  [Type.Literal("ok"), Type.Literal("absent"), Type.Literal("failing"), Type.Literal("starting")],
  { $id: "SourceStatus" },
);
export type SourceStatus = Static<typeof SourceStatus>;

/** One place that rows come from: a terminal manager, or one server of it. */
export const SourceInfo = Type.Object(
  {
    /** The scheme of its ids. */
    scheme: Type.String({ pattern: "^[a-z][a-z0-9_-]*$" }),
    /** Which one of several, such as a server's socket. Absent where the scheme has one source. */
    name: Type.Optional(Type.String({ minLength: 1 })),
    status: SourceStatus,
    /** Since when `status` holds. */
    since_at: Timestamp,
    /** When it was last read with success. Left out as long as it has not been. */
    polled_at: Type.Optional(Timestamp),
    /** Why it is failing, or how it is limited while it is `ok`. */
    error: Type.Optional(
      Type.Object({
        code: Type.String({ pattern: "^[a-z][a-z0-9_]*$" }),
        msg: Type.String(),
      }),
    ),
  },
  { $id: "SourceInfo" },
);
export type SourceInfo = Static<typeof SourceInfo>;

/** Why a row is gone.
 *
 * - `closed`: its own end: the terminal was closed, the process ended, or its harness took its state file away.
 * - `source_gone`: its manager ended, and it with that.
 * - `instance_stopped`: the publisher stopped; nothing is said of the terminal itself.
 * - `instance_lost`: the publisher has not been heard from for longer than its lease. */
export const RemovalReason = Type.Union(
  [
    Type.Literal("closed"),
    Type.Literal("source_gone"),
    Type.Literal("instance_stopped"),
    Type.Literal("instance_lost"),
  ],
  { $id: "RemovalReason" },
);
export type RemovalReason = Static<typeof RemovalReason>;
