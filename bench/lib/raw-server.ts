import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { MARK } from "./stamps.ts";

/** A server of ws alone, and its address. */
export function webSocketServer(): { server: WebSocketServer; listen(): Promise<string> } {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    perMessageDeflate: false,
    maxPayload: 64 * 1_024,
    backlog: 4_096,
  });
  const listen = async () => {
    if (server.address() === null) await once(server, "listening");
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  return { server, listen };
}

/** Sends every client frames of so many bytes that hold a time of sending, and no more. */
export function rawBroadcast(frameBytes: number): {
  listen(): Promise<string>;
  send(stamp: string): void;
} {
  const { server, listen } = webSocketServer();
  return {
    listen,
    send(stamp) {
      const frame = Buffer.from(
        `{"mark":"${MARK}${stamp}"`.padEnd(frameBytes - 2, " ").concat("}\n"),
      );
      for (const client of server.clients) client.send(frame, { binary: false });
    },
  };
}
