import { createServer, type Socket } from "node:net";
import { publishSocket } from "../files/unix-path.ts";
import type { Clock } from "../time/clock.ts";
import type { CloseReason } from "./close-codes.ts";
import { CloseGrace } from "./close-grace.ts";
import type { Carrier } from "./connection.ts";
import { watchHalfClosed } from "./half-closed.ts";
import type { Peers } from "./peers.ts";

/** A Unix socket that accepts. */
export interface UnixListener {
  /** Takes the name away and accepts no more. Connections that are open stay. */
  close(): Promise<void>;
}

/** Listens on a Unix socket at `path` and hands every connection over. Its permissions are the
 * permission: folder 0700, socket 0600. A connection may be half closed: its peer has said all and
 * still reads. */
export async function listenUnix(
  path: string,
  accept: (socket: Socket) => void,
  maxConnections: number,
): Promise<UnixListener> {
  const server = createServer({ allowHalfOpen: true }, accept);
  // One that comes beyond the limit is closed at once: there is nobody to read an answer in time.
  server.maxConnections = maxConnections;
  const published = await publishSocket(server, path);
  return {
    async close() {
      server.close();
      await published.unpublish();
    },
  };
}

/** Makes a connection of a Unix socket: newline-delimited JSON both ways. What stands after the last
 * newline when the peer ends is no line. */
export function carryUnix(socket: Socket, peers: Peers, clock: Clock): void {
  const carrier = new UnixCarrier(socket, clock);
  const connection = peers.add(carrier);
  socket.on("data", (bytes) => connection.feed(bytes as Buffer));
  socket.on("end", () => {
    connection.finish(() => socket.end());
    watchHalfClosed(clock, socket);
  });
  // Every error of a socket is followed by its close.
  socket.on("error", () => {});
  socket.on("close", () => {
    carrier.closed();
    peers.remove(connection);
  });
}

class UnixCarrier implements Carrier {
  readonly kind = "unix";
  readonly #socket: Socket;
  readonly #grace: CloseGrace;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#grace = new CloseGrace(clock, () => this.cut());
  }

  get buffered(): number {
    return this.#socket.writableLength;
  }

  send(line: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(line);
  }

  /** A Unix socket has no codes: it ends, and is gone once the peer has read what it was sent. */
  close(_reason: CloseReason): void {
    if (this.#grace.begin()) this.#socket.end(() => this.cut());
  }

  cut(): void {
    this.#socket.destroy();
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
