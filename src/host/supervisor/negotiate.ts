import { ProtocolError } from "./errors.ts";
import {
  CAPABILITY_CANCELLATION,
  CAPABILITY_FRAMED_JSON,
  CAPABILITY_TERMINAL_MONITORS,
  CAPABILITY_TERMINAL_SESSIONS,
  PROTOCOL_CURRENT,
  PROTOCOL_MINIMUM,
} from "./limits.ts";
import type { ProtocolHello } from "./messages.ts";

/** What this side says of itself. */
export const LOCAL_HELLO: ProtocolHello = {
  minimum: PROTOCOL_MINIMUM,
  current: PROTOCOL_CURRENT,
  capabilities:
    CAPABILITY_FRAMED_JSON +
    CAPABILITY_TERMINAL_SESSIONS +
    CAPABILITY_CANCELLATION +
    CAPABILITY_TERMINAL_MONITORS,
};

/** The version that both sides speak: the lower of their newest ones. Throws a ProtocolError where there is none, or a
 * side does not send frames of JSON. */
export function negotiate(local: ProtocolHello, peer: ProtocolHello): number {
  for (const { minimum, current } of [local, peer]) {
    if (minimum >= 1 && minimum <= current) continue;
    throw new ProtocolError(
      "invalid_hello",
      `a hello's versions must go from 1 or more up, got ${minimum} to ${current}`,
    );
  }
  const minimum = Math.max(local.minimum, peer.minimum);
  const current = Math.min(local.current, peer.current);
  if (minimum > current) {
    throw new ProtocolError(
      "incompatible_version",
      `versions ${local.minimum} to ${local.current} are spoken here, and ${peer.minimum} to ${peer.current} by the peer: none is common`,
    );
  }
  if (![local, peer].every(sendsJson)) {
    throw new ProtocolError(
      "missing_capability",
      `capabilities must include framed JSON (bit 0), got ${local.capabilities} and ${peer.capabilities}`,
    );
  }
  return current;
}

/** Capabilities are 64 bits; operators on bits of numbers would see the lower 32 alone. */
const sendsJson = ({ capabilities }: ProtocolHello) =>
  (BigInt(capabilities) & BigInt(CAPABILITY_FRAMED_JSON)) !== 0n;
