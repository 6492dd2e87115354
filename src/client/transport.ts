import type { Cancel } from "./clock.ts";

/** Carries text between a subscription and a publisher. `webSocketTransport` is the one for browsers;
 * `termtopic/client/node` has those for Node. */
export interface Transport {
  /** Dials once. Calls none of `events` before it has returned. After `close` nothing more is called. */
  connect(events: LinkEvents): Link;
  /** Arranges that `wake` is called when the network may be back, such as at a browser's `online`
   * event. Absent where nobody tells; reconnecting then waits for its timer. */
  onWake?(wake: () => void): Cancel;
}

/** One connection as the subscription uses it. */
export interface Link {
  /** Sends one line, newline included. Of a link that is closed or not yet open: nothing. */
  send(line: string): void;
  /** Closes it, or gives up dialing. Nothing is called back afterwards. */
  close(): void;
}

/** What a transport tells of one connection. */
export interface LinkEvents {
  open(): void;
  /** Text as it came, cut anywhere: lines are put together by the subscription. */
  text(chunk: string): void;
  close(end: LinkEnd): void;
}

/** How a connection ended, or why it was never made. */
export interface LinkEnd {
  /** The WebSocket close code. Absent where there was none. */
  readonly code?: number;
  /** What the publisher said with the code. */
  readonly reason?: string;
  /** Set where dialing again cannot help. `unauthorized`: the credentials are refused; `refused`: there is
   * no publisher at that address. */
  readonly permanent?: "unauthorized" | "refused";
  readonly error?: Error;
}
