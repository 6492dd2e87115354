import { type Static, Type } from "@sinclair/typebox";

/** The largest integer that JSON carries exactly between all readers (2^53 - 1). Every pid and
 * every instant is bounded by it, so that a number which a reader would round is refused at the
 * door instead of matching somebody else's row. */
export const MAX_EXACT_INTEGER = Number.MAX_SAFE_INTEGER;

/** A session of an agent: a UUID of any version, in lower case. */
export const Sid = Type.String({
  $id: "Sid",
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});
export type Sid = Static<typeof Sid>;

/** One publisher on one host: 16 random bytes in lower-case hex, made once and kept in its state
 * folder. It survives a move of the host and says nothing about where the host is. */
export const InstanceId = Type.String({ $id: "InstanceId", pattern: "^[0-9a-f]{32}$" });
export type InstanceId = Static<typeof InstanceId>;

/** A terminal: `<scheme>:<handle>`. The scheme names the manager that listed it, the handle is that
 * manager's own and holds no white space. Unique within one instance. */
export const TerminalId = Type.String({
  $id: "TerminalId",
  pattern: "^[a-z][a-z0-9_-]*:[^\\s]+$",
});
export type TerminalId = Static<typeof TerminalId>;

/** An instant in integer milliseconds since the Unix epoch. Every field that names one ends in
 * `_at`; a duration ends in `_ms` or `_secs`. */
export const Timestamp = Type.Integer({
  $id: "Timestamp",
  minimum: 0,
  maximum: MAX_EXACT_INTEGER,
});
export type Timestamp = Static<typeof Timestamp>;

/** A process id. Absent where none is known: 0 never stands for "none". */
export const Pid = Type.Integer({ $id: "Pid", minimum: 1, maximum: MAX_EXACT_INTEGER });
export type Pid = Static<typeof Pid>;

/** The start of a process as its kernel counts it, in decimal digits: on Linux field 22 of
 * `/proc/<pid>/stat` (clock ticks since boot). A string because some kernels count past 2^53. */
export const StartTick = Type.String({ $id: "StartTick", pattern: "^[0-9]{1,20}$" });
export type StartTick = Static<typeof StartTick>;

/** A message: the instance that issued it and its number there. */
export const Mid = Type.String({ $id: "Mid", pattern: "^[0-9a-f]{32}/\\d+$" });
export type Mid = Static<typeof Mid>;

/** Who a connection speaks for, settled by the greeting it sent. */
export const Role = Type.Union(
  [Type.Literal("session"), Type.Literal("user"), Type.Literal("instance")],
  { $id: "Role" },
);
export type Role = Static<typeof Role>;

/** What an instance can do beyond the ops that every instance has. A closed set: a reader refuses
 * a greeting that names another value, so none is ever added within a generation. */
export const Capability = Type.Union(
  [
    Type.Literal("fork"),
    Type.Literal("launcher"),
    Type.Literal("llm_events"),
    Type.Literal("llm_stats"),
    Type.Literal("llm_status"),
    Type.Literal("llm_usage"),
    Type.Literal("sandbox"),
    Type.Literal("terminal"),
    Type.Literal("translate"),
  ],
  { $id: "Capability" },
);
export type Capability = Static<typeof Capability>;

const HOST_NAME = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";
const PORT =
  "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
const authority = (scheme: string, ownPort: string) =>
  `${scheme}://(?:${HOST_NAME}|\\[[0-9a-f:.]+\\])(?::(?!${ownPort}/)${PORT})?`;

/** The base URL that an instance is published at. It is spelled in one way only, so that two
 * spellings of one place never compare unequal: `http` or `https`, host in lower case, the scheme's
 * own port left out, a path that ends in `/`, neither query nor fragment. */
export const Endpoint = Type.String({
  $id: "Endpoint",
  pattern: `^(?:${authority("http", "80")}|${authority("https", "443")})(?:/[^?#\\s]*)?/$`,
});
export type Endpoint = Static<typeof Endpoint>;

/** Where terminals of the `hyoui` scheme can be opened in a browser: a base URL without a trailing
 * slash. */
export const TerminalGateway = Type.String({
  $id: "TerminalGateway",
  pattern: "^https?://[^/?#\\s]+(/[^?#\\s]*[^/?#\\s])?$",
});
export type TerminalGateway = Static<typeof TerminalGateway>;

/** The schemes whose terminals a gateway opens under `/sessions/`. */
const GATEWAY_SCHEMES: ReadonlySet<string> = new Set(["hyoui"]);

/** The page that opens a terminal: `<gateway>/sessions/<handle>`, the handle percent-encoded as one
 * path segment. `undefined` where the gateway does not serve the scheme of `id`. */
export function terminalUrl(gateway: string, id: string): string | undefined {
  const colon = id.indexOf(":");
  if (colon < 1 || !GATEWAY_SCHEMES.has(id.slice(0, colon))) return undefined;
  const handle = id.slice(colon + 1);
  if (handle === "" || !handle.isWellFormed()) return undefined;
  return `${gateway}/sessions/${encodeURIComponent(handle)}`;
}
