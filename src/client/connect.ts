import type { HelloResult } from "../contract/hello.ts";
import { Calls } from "./calls.ts";
import { type Cancel, type Clock, hostClock } from "./clock.ts";
import { Connection } from "./connection.ts";
import { Listeners } from "./listeners.ts";
import type { Status } from "./status.ts";
import { type TerminalActions, terminalActions } from "./terminal.ts";
import type { Transport } from "./transport.ts";

export interface ConnectOptions {
  readonly transport: Transport;
  /** Whether to dial again when the connection could not be made or ended. Default true. */
  readonly reconnect?: boolean;
  /** Said in the greeting, for display only. */
  readonly clientVersion?: string;
  /** Default: the machine's own time. */
  readonly clock?: Clock;
  /** A number from 0 to below 1, for the jitter of reconnecting. Default `Math.random`. */
  readonly random?: () => number;
}

/** A connection to a publisher that acts on its terminals and subscribes to nothing. */
export interface Client {
  readonly status: Status;
  /** Who answered the last greeting. Absent before the first one. */
  readonly publisher: HelloResult | undefined;
  readonly terminal: TerminalActions;
  /** Listens to how it stands, until the returned function is called. */
  on(event: "status", listener: (status: Status) => void): Cancel;
  /** Says that the network may be back. */
  wake(): void;
  /** Ends it for good. Calls that wait reject. */
  close(): void;
}

/** Connects to a publisher to act on its terminals. `subscribe` gives the same actions beside the rows. */
export function connect(options: ConnectOptions): Client {
  const { transport, reconnect = true, clientVersion, clock = hostClock } = options;
  const { random = Math.random } = options;
  // Who listens wrongly harms nobody else; there is nobody to tell.
  const listeners = new Listeners<{ status: Status }>(() => {});
  let publisher: HelloResult | undefined;
  const calls = new Calls(() => connection.status);
  const connection: Connection = new Connection(
    { transport, clock, random, reconnect, clientVersion },
    {
      status(status) {
        // The first one is told while the connection is being made.
        calls.changed(status);
        listeners.emit("status", status);
      },
      greeted(session, greeting) {
        publisher = greeting;
        calls.begin(session);
      },
      frame() {},
      unreadable() {},
      ended: () => calls.end(),
    },
  );
  return {
    terminal: terminalActions(calls),
    get status() {
      return connection.status;
    },
    get publisher() {
      return publisher;
    },
    on: (event, listener) => listeners.on(event, listener),
    wake: () => connection.wake(),
    close: () => connection.close(),
  };
}
