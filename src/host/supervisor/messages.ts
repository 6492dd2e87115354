import { type Static, Type } from "@sinclair/typebox";
import { TerminalOperation } from "./operation.ts";

export {
  MonitorCondition,
  MonitorDefinition,
  MonitorEvent,
  MonitorEventReason,
  MonitorLifetime,
  MonitorNotify,
  MonitorOperation,
  MonitorState,
  SessionLifecycle,
  TerminalSignal,
} from "../monitors/definition.ts";
export {
  ReturnCondition,
  TerminalBackend,
  TerminalClosePolicy,
  TerminalKey,
  TerminalOperation,
  TerminalWrite,
} from "./operation.ts";
export { RawRange, ReturnOutcome, SessionFacts } from "./session-facts.ts";

const Version = Type.Integer({ minimum: 0, maximum: 65_535 });

/** Which versions a side speaks, and what it can do: a sum of the `CAPABILITY_*`. */
export const ProtocolHello = Type.Object(
  {
    minimum: Version,
    current: Version,
    capabilities: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { $id: "ProtocolHello" },
);
export type ProtocolHello = Static<typeof ProtocolHello>;

/** What a client sends. A `request_id` is 32 hexadecimal digits; no two operations under way have the same. */
export const HostRequest = Type.Union(
  [
    Type.Object({ kind: Type.Literal("hello"), hello: ProtocolHello }),
    Type.Object({ kind: Type.Literal("ping") }),
    Type.Object({
      kind: Type.Literal("terminal"),
      request_id: Type.String(),
      operation: TerminalOperation,
    }),
    Type.Object({ kind: Type.Literal("cancel"), request_id: Type.String() }),
  ],
  { $id: "HostRequest" },
);
export type HostRequest = Static<typeof HostRequest>;

/** What an operation came to. `structured` is the result; `content` the same as JSON text, as far as a frame holds both:
 * `original_bytes` says how long all of that text is, and `truncated` whether `content` is less. */
export const ToolOutput = Type.Object(
  {
    content: Type.String(),
    is_error: Type.Boolean(),
    structured: Type.Unknown(),
    original_bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    truncated: Type.Boolean(),
  },
  { $id: "ToolOutput" },
);
export type ToolOutput = Static<typeof ToolOutput>;

/** What the host answers. */
export const HostResponse = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("hello"),
      hello: ProtocolHello,
      negotiated: Version,
      /** 32 hexadecimal digits; others after each start of the host. */
      instance_id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    }),
    Type.Object({ kind: Type.Literal("pong") }),
    Type.Object({ kind: Type.Literal("terminal"), output: ToolOutput }),
    Type.Object({ kind: Type.Literal("cancelled"), accepted: Type.Boolean() }),
    Type.Object({ kind: Type.Literal("failure"), code: Type.String(), message: Type.String() }),
  ],
  { $id: "HostResponse" },
);
export type HostResponse = Static<typeof HostResponse>;
