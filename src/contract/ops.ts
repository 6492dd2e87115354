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
  /** The codes of its own. Those that follow from the attributes are added by `opErrors`. */
  readonly errors: readonly ErrorCode[];
}

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
} as const satisfies Record<string, OpAttributes>;

export type OpName = keyof typeof OP_ATTRIBUTES;

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
