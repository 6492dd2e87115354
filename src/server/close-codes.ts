export interface CloseCode {
  readonly code: number;
  /** When a WebSocket is closed with it, and what its client should do. */
  readonly when: string;
}

/** The closed set of codes that a WebSocket of ours is closed with. A Unix socket has none: it ends.
 * Below 4000 they are those of RFC 6455 and its registry. A peer that answers no ping, or does not
 * finish its own closing, is cut without a code (its client sees 1006). */
export const CLOSE_CODES = {
  terminal_closed: {
    code: 1000,
    when: "the terminal of a view was closed; there is nothing to come back to",
  },
  going_away: { code: 1001, when: "the publisher stops and is not expected back soon" },
  protocol_error: {
    code: 1002,
    when: "what arrived is no WebSocket framing; coming back as before meets the same answer",
  },
  policy_violation: {
    code: 1008,
    when: "a message came in more fragments than any honest client makes",
  },
  frame_too_big: {
    code: 1009,
    when: "a message is longer than MAX_FRAME_BYTES + 64 KiB; up to that, a line over the limit is answered bad_request and the connection stays",
  },
  internal_error: {
    code: 1011,
    when: "the publisher cannot keep what it answered; connect again and start from a snapshot",
  },
  restarting: {
    code: 1012,
    when: "the publisher restarts at the same address; connect again after a short, random wait",
  },
  message_kind: { code: 4400, when: "a binary message arrived; every message here is text" },
  view_refused: {
    code: 4403,
    when: "what manages the terminal of a view said no; the event before says in words why",
  },
  terminal_gone: {
    code: 4404,
    when: "the terminal of a view is not listed, or was when it was asked for and is no more",
  },
  unsupported: {
    code: 4405,
    when: "terminals of this scheme cannot be viewed; the event before says in words how to get there",
  },
  too_slow: {
    code: 4408,
    when: "the client does not take what it is sent; connect again and start from a snapshot",
  },
  view_lost: {
    code: 4503,
    when: "what manages the terminal of a view cannot be reached; connect again after a wait",
  },
} as const satisfies Record<string, CloseCode>;

export type CloseReason = keyof typeof CLOSE_CODES;
