import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";

/** What JetStream answers where the last version of a key is not the expected one. */
const WRONG_LAST_SEQUENCE = new Set([10_071, 10_164]);

/** What it answers where there is no such stream. */
const STREAM_NOT_FOUND = 10_059;

/** Whether somebody else wrote the key since. */
export const isConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code);

/** Whether these credentials do not let us in. */
export const isUnauthorised = (error: unknown): boolean =>
  causes(error).some((cause) => cause instanceof errors.AuthorizationError);

/** Whether these credentials do not let us do that. */
export const isForbidden = (error: unknown): boolean =>
  causes(error).some((cause) => cause instanceof errors.PermissionViolationError);

/** Whether there is no such bucket, or nothing that keeps buckets. */
export const isMissing = (error: unknown): boolean =>
  causes(error).some(
    (cause) =>
      cause instanceof errors.NoRespondersError ||
      (cause instanceof JetStreamApiError && cause.code === STREAM_NOT_FOUND),
  );

export function wordsOf(error: unknown): string {
  if (isForbidden(error)) return `these credentials do not allow it (${messageOf(error)})`;
  if (isUnauthorised(error)) return "it does not accept these credentials";
  if (causes(error).some((cause) => cause instanceof errors.NoRespondersError)) {
    return "JetStream is not enabled on it, or not yet ready";
  }
  return messageOf(error);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let cause = error; cause instanceof Error && all.length < 8; cause = cause.cause) {
    all.push(cause);
  }
  return all;
}
