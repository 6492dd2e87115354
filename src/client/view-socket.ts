import type { ViewEnd } from "./view-failure.ts";

/** What the socket of a view tells. */
export interface ViewSocketEvents {
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  end(end: ViewEnd): void;
}

/** The socket of one view. */
export interface ViewSocket {
  /** What was sent and has not left yet, in bytes. */
  readonly waiting: number;
  /** Text is a request, bytes are what is typed. */
  send(data: string | Uint8Array): void;
  /** Nothing is told afterwards. */
  close(): void;
}

/** What is used of a browser's WebSocket. */
interface WebSocketOfBytes {
  binaryType: string;
  readonly bufferedAmount: number;
  readonly readyState: number;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
}

interface Surroundings {
  readonly WebSocket?: new (address: string, protocols: string[]) => WebSocketOfBytes;
}

const OPEN = 1;

/** Over the global `WebSocket`. */
export function webViewSocket(
  address: string,
  protocols: string[],
  events: ViewSocketEvents,
): ViewSocket {
  // Seen through a shape of our own: it is there in a browser, and in Node it may not be.
  const { WebSocket } = globalThis as unknown as Surroundings;
  if (WebSocket === undefined)
    throw new TypeError("viewTerminal needs a global `WebSocket`, or `open`");
  const socket = new WebSocket(address, protocols);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") events.text(data);
    else if (data instanceof ArrayBuffer) events.bytes(new Uint8Array(data));
  };
  socket.onclose = ({ code }) => events.end({ code });
  return {
    get waiting() {
      return socket.bufferedAmount;
    },
    send(data) {
      if (socket.readyState === OPEN) socket.send(data);
    },
    close() {
      socket.onmessage = null;
      socket.onclose = null;
      socket.close(1000);
    },
  };
}
