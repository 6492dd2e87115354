import { socketAddress, subprotocols } from "./address.ts";
import type { Cancel } from "./clock.ts";
import type { Link, LinkEvents, Transport } from "./transport.ts";

/** What is used of a WebSocket: the browser's own, or one of the same shape. */
export interface WebSocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface WebSocketTransportOptions {
  /** The publisher's token. Absent where it asks for none. */
  readonly token?: string;
  /** Makes a socket. Default: the global `WebSocket`. */
  readonly open?: (address: string, protocols: string[]) => WebSocketLike;
}

/** Dials a publisher's endpoint (an `http` or `https` URL that ends in `/`) with the global `WebSocket`,
 * and wakes the subscription at the `online` event where the surroundings have one. A browser does not
 * tell why a WebSocket was refused, so that a wrong token looks like a publisher that is away. */
export function webSocketTransport(
  endpoint: string,
  options: WebSocketTransportOptions = {},
): Transport {
  const address = socketAddress(endpoint);
  const protocols = subprotocols(options.token);
  const open = options.open ?? globalSocket;
  return {
    connect: (events) => linkOver(open(address, protocols), events),
    onWake,
  };
}

function linkOver(socket: WebSocketLike, events: LinkEvents): Link {
  let open = false;
  socket.onopen = () => {
    open = true;
    events.open();
  };
  socket.onmessage = ({ data }: { data: unknown }) => {
    if (typeof data === "string") events.text(data);
  };
  socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
    open = false;
    events.close({ code, reason });
  };
  return {
    send(line) {
      if (open) socket.send(line);
    },
    close() {
      open = false;
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
      socket.close(1000);
    },
  };
}

interface Surroundings {
  readonly WebSocket?: new (address: string, protocols: string[]) => WebSocketLike;
  addEventListener?(event: string, listener: () => void): void;
  removeEventListener?(event: string, listener: () => void): void;
}

// Seen through a shape of our own: these are there in a browser, and in Node some are not.
const surroundings = globalThis as unknown as Surroundings;

function globalSocket(address: string, protocols: string[]): WebSocketLike {
  const { WebSocket } = surroundings;
  if (WebSocket === undefined) {
    throw new TypeError(
      "webSocketTransport needs a global `WebSocket`; for Node there is nodeWebSocketTransport in termtopic/client/node",
    );
  }
  return new WebSocket(address, protocols);
}

function onWake(wake: () => void): Cancel {
  surroundings.addEventListener?.("online", wake);
  return () => surroundings.removeEventListener?.("online", wake);
}
