import { PROTOCOL_VERSION } from "../contract/envelope.ts";
import type { HelloResult } from "../contract/hello.ts";
import type { Role } from "../contract/identifiers.ts";
import { CallError } from "./call-error.ts";
import type { ServerIdentity } from "./options.ts";

/** Who a connection speaks for. The claim is taken at once and the role settled with the reply, so
 * that of two greetings sent together only one can win, and whatever was sent ahead of the reply is
 * still from nobody. */
export class Greeting {
  #claimed = false;
  #role: Role | undefined;

  /** Undefined until the reply is written. */
  get role(): Role | undefined {
    return this.#role;
  }

  /** Takes the claim. Throws `bad_request` where another greeting holds it. */
  claim(): void {
    if (this.#claimed) throw new CallError("bad_request", "this connection has greeted already");
    this.#claimed = true;
  }

  /** Gives the claim back: the greeting failed, and another may be tried. */
  giveBack(): void {
    this.#claimed = false;
  }

  settle(role: Role): void {
    this.#role = role;
  }
}

/** Throws where the caller speaks another generation: there is no translating between them. */
export function requireGeneration(theirs: number): void {
  if (theirs === PROTOCOL_VERSION) return;
  throw new CallError(
    "bad_request",
    `\`protocol_version\` must be ${PROTOCOL_VERSION}, got ${theirs}`,
  );
}

/** The answer to a greeting. It names no endpoint: the instance is in no mesh, so there is no address
 * that another host could use. */
export function helloResult(identity: ServerIdentity, isReadOnly: boolean): HelloResult {
  return {
    protocol_version: PROTOCOL_VERSION,
    instance: identity.instance,
    instances: [{ id: identity.instance, host: identity.hostName, reachable: true }],
    capabilities: [],
    version: identity.version,
    started_at: identity.startedAt,
    ...(isReadOnly && { read_only: true }),
  };
}
