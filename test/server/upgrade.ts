import { request as httpRequest } from "node:http";
import type { TestServer } from "./support.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** Asks for an upgrade and tells what came: 101 where it was let in. */
export function upgrade(
  server: TestServer,
  headers: Record<string, string> = {},
  { path = "/ws", method = "GET" } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port: server.port,
      path,
      method,
      headers: {
        Host: `127.0.0.1:${server.port}`,
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        ...headers,
      },
    });
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: "", headers: response.headers });
    });
    request.on("response", async (response) => {
      let body = "";
      for await (const piece of response) body += piece;
      resolve({ status: response.statusCode ?? 0, body, headers: response.headers });
    });
    request.on("error", reject);
    request.end();
  });
}
