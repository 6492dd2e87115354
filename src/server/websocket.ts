import { type WebSocket, WebSocketServer } from "ws";
import { MAX_FRAME_BYTES } from "../contract/envelope.ts";
import type { Clock } from "../time/clock.ts";
import { CLOSE_CODES, type CloseReason } from "./close-codes.ts";
import { CloseGrace } from "./close-grace.ts";
import type { Carrier } from "./connection.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { Metrics } from "./metrics.ts";
import type { Peers } from "./peers.ts";

/** The subprotocol that is answered. The one that carries the token never is. */
export const SUBPROTOCOL = "ccmsg.v1";

/** The longest message. It is above the longest line, so that a line that is too long is answered by
 * the rule for lines and the connection stays. */
export const MAX_MESSAGE_BYTES = MAX_FRAME_BYTES + 64 * 1024;

/** Takes upgrades over; whoever calls it has checked them. `isPaced`: each message of a peer is told in a turn of the event
 * loop of its own, however many came at once. */
export function createWebSockets({ isPaced = false } = {}): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    allowSynchronousEvents: !isPaced,
    clientTracking: false,
    // Compression costs four times the CPU per delivery and most of a second at the tail.
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // A line's own check answers invalid UTF-8 as on a Unix socket; here it would close the connection.
    skipUTF8Validation: true,
    // Only a client that offered it is answered with it; the token is never echoed.
    handleProtocols: (offered) => offered.has(SUBPROTOCOL) && SUBPROTOCOL,
  });
}

/** What carrying a WebSocket needs of its server. */
export interface WebSocketHost {
  readonly peers: Peers;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Makes a connection of a WebSocket that was let in, perhaps to look and not to act. */
export function carryWebSocket(
  socket: WebSocket,
  { peers, clock, metrics }: WebSocketHost,
  isReadOnly: boolean,
): void {
  const carrier = new WebSocketCarrier(socket, clock);
  const connection = peers.add(carrier, isReadOnly);
  const stopPings = pingPeer(socket, { clock, metrics }, () => connection.paused);
  socket.on("message", (data, isBinary) => {
    if (isBinary) connection.close("message_kind");
    else connection.feedMessage(data as Buffer);
  });
  // Every error of a WebSocket is followed by its end, with the code that ws has for it.
  socket.on("error", () => {});
  socket.on("close", () => {
    stopPings();
    carrier.closed();
    peers.remove(connection);
  });
}

/** Pings the peer, and cuts it where one is not answered, unless silence is no fault of it. The answer ends that. */
export function pingPeer(
  socket: WebSocket,
  { clock, metrics }: Pick<WebSocketHost, "clock" | "metrics">,
  isExcused: () => boolean,
): () => void {
  const heartbeat = new Heartbeat(
    clock,
    {
      ping: () => socket.ping(),
      get excused() {
        return isExcused();
      },
      lost() {
        metrics.unanswered();
        socket.terminate();
      },
    },
    Math.random(),
  );
  socket.on("pong", () => heartbeat.answered());
  return () => heartbeat.stop();
}

export class WebSocketCarrier implements Carrier {
  readonly kind = "websocket";
  readonly #socket: WebSocket;
  readonly #grace: CloseGrace;

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#grace = new CloseGrace(clock, () => this.cut());
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  send(line: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(line, { binary: false });
  }

  close(reason: CloseReason): void {
    if (!this.#grace.begin()) return;
    // A paused socket would not see the peer's answer.
    this.#socket.resume();
    this.#socket.close(CLOSE_CODES[reason].code, reason);
  }

  cut(): void {
    this.#socket.terminate();
  }

  closed(): void {
    this.#grace.end();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}
