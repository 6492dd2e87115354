import { MAX_FRAME_BYTES, PROTOCOL_VERSION } from "../contract/envelope.ts";
import type { ErrorBody, ErrorCode } from "../contract/errors.ts";
import type { Capability, InstanceId, Role } from "../contract/identifiers.ts";
import {
  isOpName,
  isRoleAllowed,
  OP_ATTRIBUTES,
  type OpAttributes,
  type OpName,
} from "../contract/ops.ts";
import { OP_SCHEMAS, type RequestOf } from "../contract/schemas.ts";
import { type ValidationError, validator } from "../contract/validation.ts";
import type { Line } from "./lines.ts";

/** A request that may be carried out. */
export type Accepted = {
  readonly [Op in OpName]: { readonly op: Op; readonly request: RequestOf<Op> };
}[OpName];

/** A request that may not. `op` and `requestId` are absent where the line had none that could be read. */
export interface Refused {
  readonly op?: OpName;
  readonly requestId?: string;
  readonly refusal: ErrorBody;
}

/** The connection that a request came in on, as far as the checks ask. */
export interface Standing {
  /** Settled by the greeting; undefined before. */
  readonly role: Role | undefined;
  readonly instance: InstanceId;
  readonly capabilities: readonly Capability[];
  /** Whether it was let in to look and not to act. */
  readonly isReadOnly: boolean;
  /** Whether what belongs to one instance can be asked of another one now. */
  readonly actsElsewhere: boolean;
}

/** The longest `request_id`, in UTF-16 units. A reply repeats it, so this keeps every reply far below
 * MAX_FRAME_BYTES; honest ones have some dozens. */
export const MAX_REQUEST_ID = 16_384;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decides whether a line is a request that may be carried out. The checks stand in the order that the
 * contract fixes: of two faults the earlier one is answered. (An op that only HTTP carries would be
 * refused between schema and greeting; there is none.) */
export function dispatch(line: Line, standing: Standing): Accepted | Refused {
  if (line === "oversize") return badRequest(`a line must be at most ${MAX_FRAME_BYTES} bytes`);

  const value = parse(line);
  if (value === undefined) return badRequest("a line must be JSON in UTF-8");
  if (!isObject(value)) return badRequest("a request must be a JSON object");

  const requestId = readRequestId(value.request_id);
  const { op } = value;
  if (typeof op !== "string") return badRequest("a request must have a string `op`", requestId);
  if (requestId === undefined) {
    return badRequest(
      `a request must have a \`request_id\`, a string of 1 to ${MAX_REQUEST_ID} characters`,
    );
  }
  if (!isOpName(op)) {
    return refused(
      "unknown_op",
      `generation ${PROTOCOL_VERSION} has no op ${quoted(op)}`,
      requestId,
    );
  }
  const refuse = (code: ErrorCode, msg: string, reason?: string) =>
    refused(code, msg, requestId, op, reason);

  const { request: schema } = OP_SCHEMAS[op];
  const check = validator(schema);
  if (!check.check(value)) return refuse("invalid_args", explained(check.errors(value)));

  const attributes: OpAttributes = OP_ATTRIBUTES[op];
  const { role } = standing;
  if (role === undefined && attributes.needs_hello) {
    return refuse("hello_required", `\`${op}\` needs a greeting before it`);
  }
  if (role !== undefined && !isRoleAllowed(op, role)) {
    return refuse("forbidden", `\`${op}\` is not for the role ${role}`);
  }
  if (standing.isReadOnly && attributes.read_only !== undefined) {
    const mayPeek = attributes.read_only === "peek";
    if (!mayPeek)
      return refuse("forbidden", `\`${op}\` is not for the read-only token`, "read_only");
    if (!("peek" in value) || value.peek !== true) {
      const msg = `with the read-only token \`${op}\` needs \`peek: true\`: else it would move where others read on`;
      return refuse("forbidden", msg, "read_only");
    }
  }
  const { capability } = attributes;
  if (capability !== undefined && !standing.capabilities.includes(capability)) {
    return refuse("capability_unavailable", `\`${op}\` needs the capability ${capability}`);
  }
  const isElsewhere = value.to_instance !== undefined && value.to_instance !== standing.instance;
  const isPassedOn = attributes.locality === "owner_instance" && standing.actsElsewhere;
  if (isElsewhere && !isPassedOn) {
    return refuse(
      "instance_unreachable",
      `instance ${value.to_instance} cannot be reached from here`,
    );
  }
  if (value.hops?.includes(standing.instance)) {
    return refuse("instance_unreachable", "the request has been at this instance before");
  }
  return { op, request: value } as Accepted;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(line));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readRequestId(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > MAX_REQUEST_ID) return undefined;
  return value;
}

/** Somebody else's word, short enough for a message. */
function quoted(word: string): string {
  return JSON.stringify(word.length > 64 ? `${word.slice(0, 64)}…` : word);
}

/** The longest words about one fault. Beyond are patterns, which a person reads in the schema. */
const MAX_FAULT = 120;

/** Each fault as `path: message`; `/` is the request itself. */
function explained(errors: readonly ValidationError[]): string {
  return errors.map(({ path, message }) => `${path || "/"}: ${faultOf(path, message)}`).join("; ");
}

function faultOf(path: string, message: string): string {
  if (path === "/topic") return "Expected the name of a topic of this generation";
  return message.length > MAX_FAULT ? `${message.slice(0, MAX_FAULT - 1)}…` : message;
}

function badRequest(msg: string, requestId?: string): Refused {
  return refused("bad_request", msg, requestId);
}

function refused(
  code: ErrorCode,
  msg: string,
  requestId?: string,
  op?: OpName,
  reason?: string,
): Refused {
  return {
    refusal: { code, msg, ...(reason !== undefined && { reason }) },
    ...(requestId !== undefined && { requestId }),
    ...(op !== undefined && { op }),
  };
}
