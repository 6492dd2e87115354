import { type ErrorBody, ErrorBody as ErrorBodySchema } from "../contract/errors.ts";
import { isValid } from "../contract/validation.ts";
import type { Reply } from "./requests.ts";

/** One line from a publisher, as far as it says by itself what it is. */
export type Message =
  | { readonly kind: "reply"; readonly requestId: string; readonly reply: Reply }
  | { readonly kind: "frame"; readonly topic: string; readonly frame: object }
  | { readonly kind: "event"; readonly ev: string }
  | { readonly kind: "unreadable"; readonly message: string; readonly error?: ErrorBody };

const unreadable = (message: string): Message => ({ kind: "unreadable", message });

/** Reads one line. Never throws. */
export function readMessage(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return unreadable("a line is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return unreadable("a line is not a JSON object");
  }
  const fields = value as Record<string, unknown>;
  if ("ok" in fields) return readReply(fields);
  const { ev, topic } = fields;
  if (typeof ev !== "string") return unreadable("a line is neither a reply nor an event");
  if (ev !== "topic") return { kind: "event", ev };
  if (typeof topic !== "string") return unreadable("a topic frame names no topic");
  return { kind: "frame", topic, frame: value };
}

function readReply(fields: Record<string, unknown>): Message {
  const { ok, request_id: requestId } = fields;
  const error = ok === true ? undefined : readError(fields["error"]);
  if (typeof requestId !== "string") {
    if (error === undefined) return unreadable("a reply names no request");
    return { kind: "unreadable", message: `${error.code}: ${error.msg}`, error };
  }
  const reply: Reply =
    error === undefined ? { outcome: "ok", body: fields } : { outcome: "error", error };
  return { kind: "reply", requestId, reply };
}

/** A failure is believed even where its words are not of the contract: the request did not succeed. */
function readError(error: unknown): ErrorBody {
  if (isValid(ErrorBodySchema, error)) return error;
  return {
    code: "internal_error",
    msg: "the publisher failed in words that are not the contract's",
  };
}
