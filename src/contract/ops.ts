import type { ErrorCode } from "./errors.ts";
import type { Capability, Role } from "./identifiers.ts";

export interface OpAttributes {
  /** Who may call it; others are answered `forbidden`. */
  readonly roles: readonly Role[];
  /** Whether the connection must have greeted. */
  readonly needs_hello: boolean;
  readonly capability?: Capability;
  /** Who answers: whichever instance is asked, or the one that owns the subject. */
  readonly locality: "any_instance" | "owner_instance";
  /** What a connection may do that was let in to look and not to act: nothing, which is answered `forbidden`, or only call
   * it with `peek: true`. Absent: call it. */
  readonly read_only?: "refused" | "peek";
  /** The codes of its own. Those that follow from the attributes are added by `opErrors`. */
  readonly errors: readonly ErrorCode[];
}

/** What every op answers that is about one terminal. `not_found`: nobody here states it; `changed`, `ended` and the like
 * are its reasons. */
const ON_TERMINAL = [
  "not_found",
  "capability_unavailable",
  "rate_limited",
  "internal_error",
] as const satisfies readonly ErrorCode[];

const EVERY_ROLE = ["session", "user", "instance"] as const;

/** Every op, and what decides whether a call of it is let through. */
export const OP_ATTRIBUTES = {
  "hello.user": {
    roles: EVERY_ROLE,
    needs_hello: false,
    locality: "any_instance",
    errors: ["bad_request"],
  },
  "hello.session": {
    roles: EVERY_ROLE,
    needs_hello: false,
    locality: "any_instance",
    errors: ["bad_request"],
  },
  "hello.instance": {
    roles: EVERY_ROLE,
    needs_hello: false,
    locality: "any_instance",
    errors: ["bad_request", "capability_unavailable"],
  },
  "instance.ping": {
    roles: EVERY_ROLE,
    needs_hello: true,
    locality: "any_instance",
    errors: [],
  },
  "topic.subscribe": {
    roles: EVERY_ROLE,
    needs_hello: true,
    locality: "any_instance",
    errors: ["topic_unknown", "forbidden", "capability_unavailable", "internal_error"],
  },
  "topic.unsubscribe": {
    roles: EVERY_ROLE,
    needs_hello: true,
    locality: "any_instance",
    errors: ["topic_unknown"],
  },
  "terminal.open": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ["capability_unavailable", "rate_limited", "internal_error"],
  },
  "terminal.send": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ON_TERMINAL,
  },
  "terminal.read": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "peek",
    errors: ON_TERMINAL,
  },
  "terminal.capture": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    errors: ON_TERMINAL,
  },
  "terminal.resize": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ON_TERMINAL,
  },
  "terminal.signal": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ON_TERMINAL,
  },
  "terminal.close": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ON_TERMINAL,
  },
  "terminal.rename": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    read_only: "refused",
    errors: ON_TERMINAL,
  },
  "terminal.gone": {
    roles: ["user"],
    needs_hello: true,
    locality: "owner_instance",
    errors: ON_TERMINAL,
  },
} as const satisfies Record<string, OpAttributes>;

export type OpName = keyof typeof OP_ATTRIBUTES;

/** The ops that look into terminals and act on them. */
export type TerminalOpName = Extract<OpName, `terminal.${string}`>;

export const OP_NAMES = Object.keys(OP_ATTRIBUTES) as OpName[];

/** Whether this generation defines an op of that name. */
export function isOpName(name: string): name is OpName {
  return Object.hasOwn(OP_ATTRIBUTES, name);
}

/** Whether a connection of that role may call the op. */
export function isRoleAllowed(op: OpName, role: Role): boolean {
  const roles: readonly Role[] = OP_ATTRIBUTES[op].roles;
  return roles.includes(role);
}

/** Every code that a well-framed call of the op may be answered with: its own, and those that its
 * attributes imply. */
export function opErrors(op: OpName): ErrorCode[] {
  const attributes: OpAttributes = OP_ATTRIBUTES[op];
  const codes = new Set<ErrorCode>(["invalid_args", ...attributes.errors]);
  if (attributes.needs_hello) codes.add("hello_required");
  if (attributes.roles.length < EVERY_ROLE.length) codes.add("forbidden");
  if (attributes.capability !== undefined) codes.add("capability_unavailable");
  if (attributes.locality === "owner_instance") codes.add("instance_unreachable");
  return [...codes];
}
