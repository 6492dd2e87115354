import { nkeys } from "@nats-io/transport-node";
import { InstanceId } from "../../contract/identifiers.ts";
import { isValid } from "../../contract/validation.ts";
import { UsageError } from "../failure.ts";

/** Who may connect: an instance, and the public key of its user. */
export interface NatsUser {
  readonly instance: string;
  readonly key: string;
}

export const userText = ({ instance, key }: NatsUser) => `${instance}:${key}`;

/** Reads what `userText` writes, as it is given to that option. */
export function readUser(option: string, text: string): NatsUser {
  const [instance = "", key = "", ...more] = text.split(":");
  const isInstance: boolean = isValid(InstanceId, instance);
  if (isInstance && isPublicKey(key) && more.length === 0) return { instance, key };
  throw new UsageError(
    `${option} must be what \`termtopic nats-config user\` prints on that host, as 0123456789abcdef0123456789abcdef:UABC..., got "${text}"`,
  );
}

function isPublicKey(key: string): boolean {
  try {
    // Throws unless it is one whose check sum is right.
    nkeys.fromPublic(key);
    return key.startsWith("U");
  } catch {
    return false;
  }
}
