import type { Socket } from "node:net";
import { HTTP_SILENCE_MS, PROBE_ANSWER_BYTES } from "../limits.ts";
import type { Asking } from "./asking.ts";
import { connectTo } from "./connect.ts";

/** How an answer of HTTP/1 begins (RFC 9112, 4). */
const STATUS_LINE = /^HTTP\/1\.[01] [0-9]{3}[ \r\n]/;

/** Whether a server answers a GET of the URL, with whatever status. */
export async function httpReady(url: URL, asking: Asking): Promise<boolean> {
  // An address of IPv6 has brackets in a URL only.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = await connectTo(host, Number(url.port || 80), asking);
  if (socket === undefined) return false;
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUser-Agent: termtopic\r\nConnection: close\r\n\r\n`,
  );
  const isReady = await answers(socket);
  socket.destroy();
  return isReady;
}

function answers(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let begun = "";
    socket.setTimeout(HTTP_SILENCE_MS, () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.on("data", (bytes) => {
      begun += bytes.toString("latin1");
      if (STATUS_LINE.test(begun)) resolve(true);
      else if (begun.includes("\n") || begun.length > PROBE_ANSWER_BYTES) resolve(false);
    });
  });
}
