import { once } from "node:events";
import { createServer, request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import type { Views } from "../../src/acting/views/published.ts";
import { afterTest, startServer, type TestServer, TOKEN } from "./support.ts";
import { upgrade } from "./upgrade.ts";

/** A server with a view, which nobody must have opened. */
async function serve() {
  const opened: string[] = [];
  const views: Views = {
    open: async ({ id }) => {
      opened.push(id);
      throw new Error("there is none");
    },
  };
  const server = await startServer({ views });
  const answer = await fetch(`${server.endpoint}session`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return { server, cookie, opened };
}

/** Another program of the host that serves pages: to a browser another origin of the same site, which gets the cookies. */
async function otherOrigin(): Promise<string> {
  const other = createServer((_, response) => response.end("<!doctype html>"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  afterTest(() => other.close());
  const address = other.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return `http://127.0.0.1:${address.port}`;
}

async function ask(server: TestServer, method: string, path: string, headers: OutgoingHttpHeaders) {
  const request = httpRequest({
    ...{ host: "127.0.0.1", port: server.port, method, path },
    headers: { Host: `127.0.0.1:${server.port}`, ...headers },
  });
  request.end();
  const [response] = await once(request, "response");
  let body = "";
  for await (const part of response) body += part;
  return { status: response.statusCode as number, headers: response.headers, body };
}

const SOCKETS = ["/ws", "/terminals/pty%3Ax", "/a/ws", "/a/terminals/pty%3Ax?read_only=true"];
const GUARDED = [
  ["GET", "/session"],
  ["POST", "/session"],
  ["DELETE", "/session"],
  ["GET", "/metrics"],
  ["HEAD", "/metrics"],
] as const;

describe("a page of another origin, whose person is let in", () => {
  test("opens no socket", async () => {
    const { server, cookie, opened } = await serve();
    const Origin = await otherOrigin();
    for (const path of SOCKETS) {
      const { status } = await upgrade(server, { Origin, Cookie: cookie }, { path });
      expect([path, status]).toEqual([path, 403]);
    }
    for (const foreign of ["null", "https://evil.example", `http://localhost:${server.port}`]) {
      const { status } = await upgrade(server, { Origin: foreign, Cookie: cookie });
      expect([foreign, status]).toEqual([foreign, 403]);
    }
    expect(opened).toEqual([]);
    expect(server.connections()).toBe(0);
    // Of one's own page the same cookie opens each.
    const own = { Origin: `http://127.0.0.1:${server.port}`, Cookie: cookie };
    for (const path of SOCKETS) {
      expect([path, (await upgrade(server, own, { path })).status]).toEqual([path, 101]);
    }
  });

  test("reads nothing, and changes no session", async () => {
    const { server, cookie } = await serve();
    const Origin = await otherOrigin();
    const ways = [
      // With CORS, and what browsers send without: images, forms, links, and navigation.
      { Origin, "Sec-Fetch-Site": "same-site" },
      { Origin: "null", "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "none" },
      {},
    ];
    for (const way of ways) {
      for (const [method, path] of GUARDED) {
        const answer = await ask(server, method, path, { ...way, Cookie: cookie });
        const told = [way, method, path, answer.status];
        expect(told).toEqual([way, method, path, "Origin" in way ? 403 : 401]);
        expect(answer.headers["set-cookie"]).toBeUndefined();
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    const own = { "Sec-Fetch-Site": "same-origin", Cookie: cookie };
    expect((await ask(server, "GET", "/metrics", own)).status).toBe(200);
  });

  test("is given no leave to ask with a header of its own", async () => {
    const { server } = await serve();
    for (const [, path] of GUARDED) {
      const { status, headers } = await ask(server, "OPTIONS", path, {
        Origin: await otherOrigin(),
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
      });
      expect([path, status]).toEqual([path, 405]);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("a name that somebody pointed at this address", () => {
  const rebound = (server: TestServer, name = "rebound.example") => ({
    Host: `${name}:${server.port}`,
    Origin: `http://${name}:${server.port}`,
    "Sec-Fetch-Site": "same-origin",
  });

  test("opens no socket, with the cookie or the token", async () => {
    const { server, cookie, opened } = await serve();
    const credentials: Record<string, string>[] = [
      { Cookie: cookie },
      { Authorization: `Bearer ${TOKEN}` },
      { "Sec-WebSocket-Protocol": `ccmsg.v1, ccmsg.token.${TOKEN}` },
    ];
    for (const path of SOCKETS) {
      for (const more of credentials) {
        const { status, body } = await upgrade(server, { ...rebound(server), ...more }, { path });
        expect([path, status, body]).toEqual([path, 403, expect.stringContaining("--allow-host")]);
      }
    }
    expect(opened).toEqual([]);
  });

  test("gets neither a page nor a session, nor is it told whether a token is right", async () => {
    const { server, cookie } = await serve();
    const paths = ["/", "/terminals/pty%3Ax", "/assets/x.js", "/healthz", "/nothing"];
    const all = [...GUARDED, ...paths.map((path) => ["GET", path] as const)];
    for (const [method, path] of all) {
      const answers = new Set<string>();
      for (const more of [{ Cookie: cookie }, { Authorization: `Bearer ${TOKEN}` }, {}]) {
        const answer = await ask(server, method, path, { ...rebound(server), ...more });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
        expect(answer.headers["set-cookie"]).toBeUndefined();
        answers.add(answer.body);
      }
      expect(answers.size).toBe(1);
    }
  });

  test.each([
    "127.0.0.1.rebound.example",
    "localhost.rebound.example",
    "127.0.0.1@rebound.example",
  ])("is not taken for ours because it looks like it: %s", async (name) => {
    const { server, cookie } = await serve();
    const headers = { ...rebound(server, name), Cookie: cookie };
    expect((await upgrade(server, headers)).status).toBe(403);
    expect((await ask(server, "GET", "/session", headers)).status).toBe(403);
  });
});
