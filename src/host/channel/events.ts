import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Count, TerminalInfo } from "./info.ts";
import { CallId } from "./requests.ts";
import { HostResult } from "./results.ts";

const event = <Name extends string, Fields extends TProperties>(type: Name, fields: Fields) =>
  Type.Object({ type: Type.Literal(type), ...fields });

/** A reply has a result or an error, never both. */
const succeeded = event("reply", { id: CallId, result: HostResult });
const failed = event("reply", { id: CallId, error: Type.String() });

/** Every event, by its `type`. */
export const EVENTS = {
  list: event("list", { terminals: Type.Array(TerminalInfo) }),
  attached: event("attached", { terminal: TerminalInfo }),
  changed: event("changed", { terminal: TerminalInfo }),
  closed: event("closed", { terminalId: Type.String() }),
  /** The terminal was not closed: a job runs in it. */
  busy: event("busy", { terminalId: Type.String(), program: Type.Optional(Type.String()) }),
  error: event("error", { message: Type.String() }),
  /** The first event of every connection: which build the host is, and how many terminals live in it. */
  hello: event("hello", {
    version: Type.String(),
    running: Count,
    pid: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  /** What is installed is another build than the host that runs. */
  outdated: event("outdated", { running: Type.Optional(Count) }),
  /** The terminals of a session that the connection listed, after one was opened, closed, renamed or ended. */
  terminals: event("terminals", { terminals: Type.Array(TerminalInfo) }),
  /** The viewer fell behind: so much output it was not sent. What follows shows the screen anew. */
  skipped: event("skipped", { terminalId: Type.String(), bytes: Count }),
  reply: Type.Union([succeeded, failed]),
} as const;

/** What the host sends as JSON. */
export const TerminalEvent = Type.Union(
  [
    EVENTS.list,
    EVENTS.attached,
    EVENTS.changed,
    EVENTS.closed,
    EVENTS.busy,
    EVENTS.error,
    EVENTS.hello,
    EVENTS.outdated,
    EVENTS.terminals,
    EVENTS.skipped,
    succeeded,
    failed,
  ],
  { $id: "TerminalEvent" },
);
export type TerminalEvent = Static<typeof TerminalEvent>;
