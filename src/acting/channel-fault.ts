import { ChannelError } from "../host/client/failure.ts";
import { ActingError } from "./failure.ts";

/** What went wrong with the host, as a fault of what was done with a terminal. Anything else stays what it is. */
export function channelFault(error: unknown): unknown {
  if (!(error instanceof ChannelError)) return error;
  return new ActingError(error.reason === "refused" ? "refused" : "no_answer", error.message);
}
