/** An HTTP request or upgrade that is not let in. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 426 | 429 | 503;
  /** The word for it in `/metrics`: one of a small, closed set. */
  readonly reason: string;
  /** For a person. It repeats nothing that the client sent. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}
