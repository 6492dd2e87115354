import type {
  HostCall,
  TerminalEvent,
  TerminalRequest,
  TerminalTheme,
} from "../channel/messages.ts";
import { type CallOptions, Calls, type ResultOf } from "./calls.ts";
import { ChannelError } from "./failure.ts";
import { type DialOptions, dial, type Hello, type Link } from "./link.ts";
import { SessionCalls } from "./session.ts";
import { Viewer, type ViewerOptions } from "./viewer.ts";
import { SessionWatch, type WatchOptions } from "./watch.ts";

export interface ConnectOptions extends DialOptions {
  /** What is installed is of another build than the host that runs, in which this many terminals live. */
  outdated?(running: number | undefined): void;
  /** The host could not do something that has no reply. */
  error?(message: string): void;
  /** The connection ended, and not by `close`. Last. */
  end?(error: ChannelError): void;
}

/** What a terminal is opened with that is looked at from the beginning. */
export type OpenFields = Omit<Extract<TerminalRequest, { type: "open" }>, "type">;

/** The end of a connection, for whoever waits for it. */
interface Ending {
  readonly hasEnded: Promise<void>;
  end(): void;
}

function ending(): Ending {
  let end = () => {};
  const hasEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { hasEnded, end };
}

/** A connection to the host for calls. Viewers and watches are connections of their own, and stay when this one is
 * closed. */
export class HostConnection {
  readonly hello: Hello;
  readonly #dialing: DialOptions;
  readonly #link: Link;
  readonly #calls: Calls;
  readonly #ending: Ending;

  constructor(dialing: DialOptions, link: Link, calls: Calls, ending: Ending) {
    this.hello = link.hello;
    this.#dialing = dialing;
    this.#link = link;
    this.#calls = calls;
    this.#ending = ending;
  }

  /** Makes a call as it is on the wire. */
  call<Op extends HostCall["op"]>(
    call: Extract<HostCall, { op: Op }>,
    options: CallOptions = {},
  ): Promise<ResultOf<Op>> {
    return this.#calls.make<Op>(call, options);
  }

  /** The calls about the terminals of one session. */
  session(sessionId: string): SessionCalls {
    return new SessionCalls(sessionId, this.#calls);
  }

  /** Follows which terminals a session has. */
  watch(sessionId: string, options: WatchOptions = {}): Promise<SessionWatch> {
    return SessionWatch.open(this.#dialing, sessionId, options);
  }

  /** Looks at a terminal. One that looks `readOnly` types nothing and has no say in the size. */
  attach(
    terminalId: string,
    options: ViewerOptions & { readonly readOnly?: boolean } = {},
  ): Promise<Viewer> {
    const { readOnly = false } = options;
    const request = { type: "attach", terminalId, ...(readOnly ? { readOnly } : {}) } as const;
    return Viewer.open(this.#dialing, request, options);
  }

  /** Opens a terminal as a person's own, and looks at it. */
  open(fields: OpenFields, options: ViewerOptions = {}): Promise<Viewer> {
    return Viewer.open(this.#dialing, { type: "open", ...fields }, options);
  }

  /** States the owner's colours. */
  theme(theme: TerminalTheme): void {
    this.#link.send({ type: "theme", ...theme });
  }

  /** Ends the host and all its terminals. Resolves when the connection has ended. */
  shutdown(): Promise<void> {
    this.#link.send({ type: "shutdown" });
    return this.#ending.hasEnded;
  }

  /** Ends the connection. Calls that wait reject. */
  close(): void {
    this.#link.close();
    this.#calls.end(new ChannelError("closed", "the connection to the host was closed here"));
    this.#ending.end();
  }
}

/** Connects to a terminal host over its Unix socket. Rejects with a ChannelError. A connection that ends is not made
 * again. */
export async function connectHost(options: ConnectOptions): Promise<HostConnection> {
  const calls = new Calls((request) => link.send(request));
  const { hasEnded, end } = ending();
  const link = await dial(options, {
    event: (event) => take(event, calls, options),
    bytes() {},
    end(error) {
      calls.end(error);
      end();
      options.end?.(error);
    },
  });
  // The signal is about this connection's dialing; others made later are not given up by it.
  const { signal: _, ...dialing } = options;
  return new HostConnection(dialing, link, calls, { hasEnded, end });
}

function take(event: TerminalEvent, calls: Calls, options: ConnectOptions): void {
  if (event.type === "reply") calls.settle(event);
  else if (event.type === "outdated") options.outdated?.(event.running);
  else if (event.type === "error") options.error?.(event.message);
}
