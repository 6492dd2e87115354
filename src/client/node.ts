import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { MAX_FRAME_BYTES } from "../contract/envelope.ts";
import { socketAddress, subprotocols } from "./address.ts";
import type { Link, LinkEnd, LinkEvents, Transport } from "./transport.ts";
import type { ViewSocket, ViewSocketEvents } from "./view-socket.ts";

export interface NodeWebSocketTransportOptions {
  /** The publisher's token. Absent where it asks for none. */
  readonly token?: string;
  /** Headers of the request that opens the socket, such as `Origin`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the opening may take, in milliseconds. Default 5000. */
  readonly handshakeTimeoutMs?: number;
}

/** A message may hold several lines. One over this closes the connection: it is kept whole in memory. */
const MAX_MESSAGE_BYTES = 16 * MAX_FRAME_BYTES;

/** How long a publisher may take to answer our closing before the socket is cut. */
const CLOSE_MS = 1_000;

/** The answers to an opening that the same request will meet again. */
const PERMANENT_STATUS: ReadonlyMap<number, LinkEnd["permanent"]> = new Map([
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "refused"],
  [426, "refused"],
]);

/** Dials a publisher's endpoint (an `http` or `https` URL that ends in `/`) over WebSocket. Unlike a browser it
 * tells refused credentials from a publisher that is away. */
export function nodeWebSocketTransport(
  endpoint: string,
  options: NodeWebSocketTransportOptions = {},
): Transport {
  const address = socketAddress(endpoint);
  const protocols = subprotocols(options.token);
  const { headers = {}, handshakeTimeoutMs = 5_000 } = options;
  return {
    connect: (events) =>
      webSocketLink(
        new WebSocket(address, protocols, {
          headers,
          handshakeTimeout: handshakeTimeoutMs,
          maxPayload: MAX_MESSAGE_BYTES,
          perMessageDeflate: false,
        }),
        events,
      ),
  };
}

function webSocketLink(socket: WebSocket, events: LinkEvents): Link {
  let error: Error | undefined;
  let permanent: LinkEnd["permanent"];
  let closed = false;
  socket.on("open", () => events.open());
  socket.on("message", (data, isBinary) => {
    if (!isBinary && !closed) events.text(data.toString());
  });
  socket.on("error", (cause) => {
    error ??= cause;
  });
  socket.on("unexpected-response", (_request, response: IncomingMessage) => {
    const { statusCode = 0, statusMessage = "" } = response;
    permanent = PERMANENT_STATUS.get(statusCode);
    error = new Error(`HTTP ${statusCode} ${statusMessage}`.trim());
    response.destroy();
    socket.terminate();
  });
  socket.on("close", (code, reason) => {
    if (closed) return;
    events.close({
      code,
      reason: reason.toString(),
      ...(permanent === undefined ? {} : { permanent }),
      ...(error === undefined ? {} : { error }),
    });
  });
  return {
    send(line) {
      if (socket.readyState === WebSocket.OPEN) socket.send(line);
    },
    close() {
      closed = true;
      closeSoon(socket);
    },
  };
}

/** Closes it, whether or not the peer answers. */
function closeSoon(socket: WebSocket): void {
  socket.close(1000);
  const cut = setTimeout(() => socket.terminate(), CLOSE_MS);
  cut.unref();
  socket.once("close", () => clearTimeout(cut));
}

/** The `open` of `viewTerminal` in Node. */
export function nodeViewSocket({
  headers = {},
  handshakeTimeoutMs = 5_000,
}: Omit<NodeWebSocketTransportOptions, "token"> = {}) {
  return (address: string, protocols: string[], events: ViewSocketEvents): ViewSocket => {
    const socket = new WebSocket(address, protocols, {
      headers,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    let status: number | undefined;
    let closed = false;
    socket.on("message", (data: Buffer, isBinary) => {
      if (closed) return;
      if (isBinary) events.bytes(data);
      else events.text(data.toString());
    });
    socket.on("error", () => {});
    socket.on("unexpected-response", (_request, response: IncomingMessage) => {
      status = response.statusCode;
      response.destroy();
      socket.terminate();
    });
    socket.on("close", (code) => {
      if (!closed) events.end({ code, ...(status === undefined ? {} : { status }) });
    });
    return {
      get waiting() {
        return socket.bufferedAmount;
      },
      send(data) {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      },
      close: () => {
        closed = true;
        closeSoon(socket);
      },
    };
  };
}

/** Dials a publisher's Unix socket. Who may connect is up to the file's permissions, so there is no token. */
export function unixSocketTransport(path: string): Transport {
  return {
    connect(events) {
      const socket = connect(path);
      let error: NodeJS.ErrnoException | undefined;
      let closed = false;
      socket.setEncoding("utf8");
      socket.on("connect", () => events.open());
      socket.on("data", (text: string) => {
        if (!closed) events.text(text);
      });
      socket.on("error", (cause) => {
        error ??= cause;
      });
      socket.on("close", () => {
        if (closed) return;
        const isRefused = error?.code === "EACCES" || error?.code === "EPERM";
        events.close({
          ...(isRefused ? { permanent: "unauthorized" } : {}),
          ...(error === undefined ? {} : { error }),
        });
      });
      return {
        send(line) {
          if (socket.writable) socket.write(line);
        },
        close() {
          closed = true;
          socket.destroy();
        },
      };
    },
  };
}
