import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { HostCall } from "./host-call.ts";
import { Cells, TerminalTheme } from "./info.ts";

const MAX = Number.MAX_SAFE_INTEGER;

const request = <Name extends string, Fields extends TProperties>(type: Name, fields: Fields) =>
  Type.Object({ type: Type.Literal(type), ...fields });

/** Tells a call's reply from those of others; the connection's own. */
export const CallId = Type.Integer({ minimum: -MAX, maximum: MAX });

/** Every request, by its `type`. */
export const REQUESTS = {
  /** Answered with `list`; from then on `terminals` tells of changes in the session. */
  list: request("list", { sessionId: Type.String() }),
  theme: request("theme", TerminalTheme.properties),
  /** Starts a terminal and attaches the connection to it. */
  open: request("open", {
    sessionId: Type.String(),
    cwd: Type.String(),
    env: Type.Union([Type.String(), Type.Null()]),
    /** Runs in place of a shell: the program and its arguments. */
    exec: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 4_096 })),
    cols: Cells,
    rows: Cells,
    /** Whether it is closed once nobody looks at it, and never published: it is a way to look at something else. */
    whileViewed: Type.Optional(Type.Literal(true)),
  }),
  /** A viewer that is `readOnly` types nothing and has no say in the size. */
  attach: request("attach", {
    terminalId: Type.String(),
    readOnly: Type.Optional(Type.Literal(true)),
  }),
  resize: request("resize", { cols: Cells, rows: Cells }),
  /** So many bytes of output have been shown. */
  ack: request("ack", { bytes: Type.Integer({ minimum: 1, maximum: MAX }) }),
  /** Ends the terminal. Without `force` not while a job runs in it: that is answered with `busy`. */
  close: request("close", { force: Type.Optional(Type.Boolean()) }),
  shutdown: request("shutdown", {}),
  call: request("call", { id: CallId, call: HostCall }),
  cancel: request("cancel", { id: CallId }),
} as const;

/** What a client sends as JSON. */
export const TerminalRequest = Type.Union(
  [
    REQUESTS.list,
    REQUESTS.theme,
    REQUESTS.open,
    REQUESTS.attach,
    REQUESTS.resize,
    REQUESTS.ack,
    REQUESTS.close,
    REQUESTS.shutdown,
    REQUESTS.call,
    REQUESTS.cancel,
  ],
  { $id: "TerminalRequest" },
);
export type TerminalRequest = Static<typeof TerminalRequest>;
