import { type Static, Type } from "@sinclair/typebox";

/** What a code means, and whether the same call may succeed when it is repeated unchanged. */
export interface ErrorMeaning {
  readonly when: string;
  readonly retry: "never" | "later" | "after greeting";
}

/** The closed set of error codes. Clients branch on the code alone; `msg` is for people. */
export const ERROR_MEANINGS = {
  bad_request: {
    when: "the frame could not be dispatched: not JSON, not an object, no op or request_id, over MAX_FRAME_BYTES, or a greeting that is a second one or of another generation",
    retry: "never",
  },
  unknown_op: { when: "this generation defines no such op", retry: "never" },
  hello_required: { when: "the op needs a settled identity", retry: "after greeting" },
  internal_error: { when: "a well-formed, allowed call failed inside the server", retry: "later" },
  rate_limited: {
    when: "a queue is full, of a reader or of a terminal, or something is in the way for now",
    retry: "later",
  },
  forbidden: { when: "the role is not one that the op or topic allows", retry: "never" },
  invalid_args: { when: "the arguments do not fit the op's schema", retry: "never" },
  capability_unavailable: {
    when: "the instance lacks what the op or topic needs",
    retry: "never",
  },
  instance_unreachable: { when: "the owning instance cannot be reached", retry: "later" },
  topic_unknown: { when: "this generation defines no such topic", retry: "never" },
  session_not_found: { when: "the sid names no session", retry: "never" },
  not_found: { when: "the thing that was named does not exist", retry: "never" },
  session_duplicated: { when: "two or more live processes run the session", retry: "later" },
  ambiguous_run: { when: "several runs exist and the call named none", retry: "never" },
  path_forbidden: { when: "the path lies outside what the caller may reach", retry: "never" },
  path_not_writable: { when: "the path cannot be written", retry: "never" },
  file_exists: { when: "the file to create is there already", retry: "never" },
  file_conflict: { when: "the file changed since it was read", retry: "never" },
  not_a_text_file: { when: "the file is not text", retry: "never" },
  auth_expired: { when: "the proof of identity has lapsed", retry: "never" },
  auth_invalid: { when: "the proof of identity does not hold", retry: "never" },
  auth_unknown_issuer: { when: "nobody here knows who issued the proof", retry: "never" },
  translate_helper_failed: { when: "the translation helper failed", retry: "later" },
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERROR_MEANINGS;

export const ERROR_CODES = Object.keys(ERROR_MEANINGS) as ErrorCode[];

/** Finer words beside a code, for callers that can act on them. Absent where the code says it all. */
export const ERROR_REASONS = {
  unsupported:
    "terminals of this scheme cannot be acted on so; `msg` says how they are reached instead",
  invalid: "what was asked for is not one of the things that can be",
  gone: "the terminal does not exist, or not any more",
  changed: "the terminal is no longer what the caller saw: another process has it",
  ended: "its program, or the job in it, has ended",
  busy: "a job is in front of its shell, which `program` names; or as much waits for it already as may",
  input_blocked:
    "what is typed would not reach the program, or others too: somebody looks back in the pane, its input is off, or it is shared",
  no_answer: "what manages it cannot be reached or does not answer",
  refused: "what manages it, or the system, said no",
  read_only: "the connection was let in to look and not to act",
  pty_unavailable: "no pseudo-terminal could be had",
} as const;

export type ErrorReason = keyof typeof ERROR_REASONS | (string & {});

export const ErrorCode = Type.Unsafe<ErrorCode>(
  Type.Union(
    ERROR_CODES.map((code) => Type.Literal(code)),
    { $id: "ErrorCode" },
  ),
);

/** On the wire it is any such word: a later version of a generation may know more of them. */
export const ErrorReason = Type.String({ $id: "ErrorReason", pattern: "^[a-z][a-z0-9_]*$" });

/** What a failed call answers with. */
export const ErrorBody = Type.Object(
  {
    code: ErrorCode,
    msg: Type.String(),
    reason: Type.Optional(ErrorReason),
    /** The program that is in the way, with the reason `busy`. */
    program: Type.Optional(Type.String()),
  },
  { $id: "ErrorBody" },
);
export type ErrorBody = Static<typeof ErrorBody>;
