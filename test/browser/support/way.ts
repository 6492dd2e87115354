import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A way to a publisher that can be cut: a port of its own, from which all goes on to the publisher's. */
export interface Way {
  /** The same after it was mended. */
  readonly port: number;
  cut(): void;
  mend(): Promise<void>;
}

/** Ends with the test. */
export async function cuttable(port: number): Promise<Way> {
  const sockets = new Set<Socket>();
  let server: Server;
  const listen = async (at: number) => {
    server = createServer((socket) => {
      const other = connect(port, "127.0.0.1");
      for (const [one, next] of [
        [socket, other],
        [other, socket],
      ] as const) {
        sockets.add(one);
        one.on("error", () => next.destroy());
        one.on("close", () => next.destroy());
        one.pipe(next);
      }
    });
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as { port: number }).port;
  };
  const own = await listen(0);
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(cut);
  return { port: own, cut, mend: async () => void (await listen(own)) };
}
