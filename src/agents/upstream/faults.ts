import type { FailureReason, SubscriptionError } from "../../client/failure.ts";
import type { Status } from "../../client/status.ts";
import type { Problem } from "../../client/types.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import type { SourceInfo } from "../../contract/sources.ts";
import type { Fault } from "../../sources/source.ts";

/** What the reasons for which there is no connection come to, where the words of the connection do not say it. */
const AWAY: { readonly [Reason in FailureReason]?: string } = {
  unauthorized: "it does not let us in: the token is wrong or missing, or the socket is not ours",
  refused: "nobody publishes there",
  generation: "it speaks another generation of the contract",
  protocol: "what answers there is no publisher",
  silent: "it does not answer",
};

/** What the codes with which a topic is refused come to. */
const REFUSALS: { readonly [Code in ErrorBody["code"]]?: string } = {
  forbidden: "it does not show its agents to us",
  topic_unknown: "it publishes no agents",
  unknown_op: "it publishes no agents",
  invalid_args: "it publishes no agents",
  capability_unavailable: "it cannot tell of agents",
};

export const STALE: Fault = {
  code: "stale",
  msg: "it has not been heard from for longer than it may be quiet",
};

export const STOPPED: Fault = {
  code: "stopped",
  msg: "it has stopped; its runs stand as long as they live, until it is back",
};

export const UNREAD: Fault = {
  code: "unread",
  msg: "it has begun anew and not read all of its sources; what it stated before stands as long as it lives",
};

/** Whether a publisher has read a source since it began. */
export const isRead = ({ status, polled_at }: SourceInfo): boolean =>
  status !== "starting" && (status !== "failing" || polled_at !== undefined);

/** Why a publisher is not heard. `undefined` while it is, or may be about to be. */
export function awayFault(status: Status): Fault | undefined {
  if (status.state === "stale") return STALE;
  return status.state === "disconnected" || status.state === "failed"
    ? ofError(status.error)
    : undefined;
}

function ofError({ reason, message }: SubscriptionError): Fault {
  return { code: reason, msg: withMeaning(AWAY[reason], message) };
}

/** Why a publisher does not give its agents. */
export function refusalFault({ code, msg }: ErrorBody): Fault {
  return { code, msg: withMeaning(REFUSALS[code], `${code}: ${msg}`) };
}

/** What has gone wrong on a connection that stands. `undefined` where that says nothing of the rows. */
export function problemFault({ kind, message, error }: Problem): Fault | undefined {
  if (kind === "refused" && error !== undefined) return refusalFault(error);
  const isAboutRows =
    kind === "unanswered" || kind === "invalid_frame" || kind === "unreadable_line";
  return isAboutRows ? { code: kind, msg: message } : undefined;
}

const withMeaning = (meaning: string | undefined, words: string) =>
  meaning === undefined ? words : `${meaning} (${words})`;
