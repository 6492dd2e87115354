import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { CONNECT_LIMIT_MS, MAX_ADDRESSES } from "../limits.ts";
import type { Asking } from "./asking.ts";

/** A connection to the first of a host's addresses that takes one. Undefined where none of the first four does, each
 * within its time. The caller ends it; that it is given up does, too. */
export async function connectTo(
  host: string,
  port: number,
  asking: Asking,
): Promise<Socket | undefined> {
  for (const address of await addressesOf(host)) {
    if (asking.isGivenUp) return undefined;
    const socket = await attempt(address, port, asking);
    if (socket !== undefined) return socket;
  }
  return undefined;
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.slice(0, MAX_ADDRESSES).map(({ address }) => address);
}

function attempt(host: string, port: number, asking: Asking): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const destroy = () => socket.destroy();
    const unlisten = asking.onGivenUp(destroy);
    socket.setTimeout(CONNECT_LIMIT_MS, destroy);
    // Whatever is wrong with it, `close` follows.
    socket.on("error", () => {});
    socket.once("close", () => {
      unlisten();
      resolve(undefined);
    });
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.removeListener("timeout", destroy);
      resolve(socket);
    });
  });
}
