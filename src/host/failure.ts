/** Why the host does not do what it was asked for: a word for programs and a sentence for people. */
export type HostErrorCode =
  | "not_found"
  | "ambiguous"
  | "too_many_terminals"
  | "too_many_calls"
  | "invalid"
  | "busy"
  | "ended"
  | "cancelled"
  | "key_reused"
  | "pty_unavailable"
  | "refused";

export class HostError extends Error {
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string) {
    super(message);
    this.name = "HostError";
    this.code = code;
  }
}
