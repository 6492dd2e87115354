import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { Access } from "../../src/server/access.ts";
import { isLoopback } from "../../src/server/addresses.ts";
import {
  FAILURE_WINDOW_MS,
  Failures,
  MAX_ADDRESSES,
  MAX_FAILURES,
} from "../../src/server/failures.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { type Upgrades, upgrade as upgradeSocket } from "../../src/server/upgrade.ts";
import { greet, INSTANCE, ManualClock, startServer, TOKEN } from "./support.ts";
import { upgrade } from "./upgrade.ts";

const WRONG = `${TOKEN.slice(0, -1)}A`;
const SUBPROTOCOLS = `ccmsg.v1, ccmsg.token.${TOKEN}`;

const bearer = { Authorization: `Bearer ${TOKEN}` };

describe("the token", () => {
  test("is taken as a bearer, and then no subprotocol is answered", async () => {
    const answer = await upgrade(await startServer(), bearer);
    expect(answer.status).toBe(101);
    expect(answer.headers["sec-websocket-protocol"]).toBeUndefined();
  });

  test("is taken beside the subprotocol, and never echoed", async () => {
    const server = await startServer();
    for (const offered of [SUBPROTOCOLS, `ccmsg.token.${TOKEN},ccmsg.v1`]) {
      const answer = await upgrade(server, { "Sec-WebSocket-Protocol": offered });
      expect(answer.status).toBe(101);
      expect(answer.headers["sec-websocket-protocol"]).toBe("ccmsg.v1");
    }
  });

  test.each([
    ["none", {}],
    ["a wrong bearer", { Authorization: `Bearer ${WRONG}` }],
    ["another scheme", { Authorization: `Basic ${TOKEN}` }],
    ["a wrong subprotocol", { "Sec-WebSocket-Protocol": `ccmsg.v1, ccmsg.token.${WRONG}` }],
    ["a subprotocol alone", { "Sec-WebSocket-Protocol": `ccmsg.token.${TOKEN}` }],
    ["an empty one", { "Sec-WebSocket-Protocol": "ccmsg.v1, ccmsg.token." }],
    ["a cookie", { Cookie: `token=${TOKEN}` }],
  ])("%s is answered 401 with a reason", async (_, headers) => {
    const answer = await upgrade(await startServer(), headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatch(/token/);
    expect(answer.body).not.toContain(TOKEN);
  });

  test.each([`/ws?token=${TOKEN}`, `/ws?ccmsg.token.${TOKEN}`, `/ws?access_token=${TOKEN}`])(
    "is not taken from the query",
    async (path) => {
      expect((await upgrade(await startServer(), {}, { path })).status).toBe(401);
    },
  );

  test("is waited for longer after too many wrong ones, while the right one is let in", async () => {
    const server = await startServer();
    for (let round = 0; round < MAX_FAILURES; round++) {
      expect((await upgrade(server, { Authorization: "Bearer x" })).status).toBe(401);
    }
    const limited = await upgrade(server, { Authorization: "Bearer x" });
    expect(limited.status).toBe(429);
    expect(limited.headers["retry-after"]).toBe("60");
    expect((await upgrade(server, bearer)).status).toBe(101);
    server.clock.advance(FAILURE_WINDOW_MS);
    expect((await upgrade(server, { Authorization: "Bearer x" })).status).toBe(401);
  });

  test("failures are remembered of a bounded number of addresses", () => {
    const failures = new Failures(new ManualClock());
    for (let index = 0; index < 3 * MAX_ADDRESSES; index++) failures.add(`10.0.0.${index}`);
    expect(failures.size).toBe(MAX_ADDRESSES);
  });
});

describe("the path", () => {
  test.each(["/ws", "/any/prefix/ws", "//ws", "/a%20b/ws?x=1"])("%s is let in", async (path) => {
    expect((await upgrade(await startServer(), bearer, { path })).status).toBe(101);
  });

  test.each(["/notws", "/ws/", "/", "/wss", "/x?/ws", "/%77s"])("%s is 404", async (path) => {
    expect((await upgrade(await startServer(), bearer, { path })).status).toBe(404);
  });

  test("another method is 405, no upgrade and another upgrade are 426", async () => {
    const server = await startServer();
    const posted = await upgrade(server, bearer, { method: "POST" });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET"]);
    expect((await upgrade(server, { ...bearer, Upgrade: "h2c" })).status).toBe(426);
    expect((await fetch(`${server.endpoint}ws`)).status).toBe(426);
  });
});

describe("the host", () => {
  test.each(["127.0.0.1", "127.0.0.1:9", "localhost", "LOCALHOST:7117", "[::1]:7117", "127.8.8.8"])(
    "%s is let in",
    async (host) => {
      expect((await upgrade(await startServer(), { ...bearer, Host: host })).status).toBe(101);
    },
  );

  test.each([
    "evil.example",
    "evil.example:7117",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.1.2.3",
    "user@127.0.0.1",
    "127.0.0.1/x",
  ])("%s is 403, even with the token", async (host) => {
    const answer = await upgrade(await startServer(), { ...bearer, Host: host });
    expect(answer.status).toBe(403);
  });

  test("none is 403", async () => {
    const socket = connect((await startServer()).port, "127.0.0.1");
    socket.end("GET /healthz HTTP/1.0\r\n\r\n");
    const [head] = await once(socket, "data");
    expect(String(head)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("a configured one is let in", async () => {
    const server = await startServer({ allowHosts: ["Box.Example"] });
    expect((await upgrade(server, { ...bearer, Host: "box.example" })).status).toBe(101);
    expect((await upgrade(server, { ...bearer, Host: "sub.box.example" })).status).toBe(403);
  });

  test("guards the page and the health too", async () => {
    const server = await startServer();
    for (const path of ["/", "/healthz", "/metrics"]) {
      const request = httpRequest({ port: server.port, path, headers: { Host: "evil.example" } });
      request.end();
      const [response] = await once(request, "response");
      response.resume();
      expect(response.statusCode).toBe(403);
    }
  });
});

describe("the origin", () => {
  const from = (origin: string) => ({ ...bearer, Origin: origin });

  test("none is let in with the token", async () => {
    expect((await upgrade(await startServer(), bearer)).status).toBe(101);
  });

  test("the page's own is let in, over TLS in front as well", async () => {
    const server = await startServer({ allowHosts: ["box.example"] });
    const own = `127.0.0.1:${server.port}`;
    expect((await upgrade(server, from(`http://${own}`))).status).toBe(101);
    const proxied = { ...from("https://box.example"), Host: "box.example" };
    expect((await upgrade(server, proxied)).status).toBe(101);
  });

  test.each([
    "null",
    "https://evil.example",
    "http://localhost",
    "http://127.0.0.1:1",
    "file://",
    "x",
    "",
  ])("%s is 403, even with the token", async (origin) => {
    const answer = await upgrade(await startServer(), from(origin));
    expect(answer.status).toBe(403);
  });

  test("a configured one is let in, and no other", async () => {
    const server = await startServer({ allowOrigins: ["https://UI.example:443/"] });
    expect((await upgrade(server, from("https://ui.example"))).status).toBe(101);
    expect((await upgrade(server, from("http://ui.example"))).status).toBe(403);
  });

  test("what is no origin cannot be configured", async () => {
    for (const origin of ["null", "ui.example", "https://ui.example/path", "ws://ui.example"]) {
      await expect(startServer({ allowOrigins: [origin] })).rejects.toThrow(/`allowOrigins`/);
    }
  });
});

describe("limits and addresses", () => {
  test("connections are limited over all and by address, and slots come back", async () => {
    const server = await startServer({ maxConnections: 2 });
    const first = await server.websocket();
    await server.websocket();
    expect((await upgrade(server, bearer)).status).toBe(503);
    first.end();
    await server.hub.until(() => server.connections() === 1);
    expect((await upgrade(server, bearer)).status).toBe(101);
    const narrow = await startServer({ maxConnectionsPerAddress: 1 });
    await narrow.websocket();
    expect((await upgrade(narrow, bearer)).status).toBe(429);
    expect((await upgrade(narrow)).status).toBe(401);
  });

  test("Unix connections are limited too: one too many is closed at once, and the others go on", async () => {
    const server = await startServer({ maxConnections: 1 });
    const first = await server.unix();
    const second = connect(server.socket).resume();
    await once(second, "close");
    expect(await greet(first)).toMatchObject({ ok: true });
  });

  test.each(["0.0.0.0", "::", "192.168.0.1", "box.example"])(
    "%s is refused unless a public address is allowed",
    async (host) => {
      await expect(startServer({ host })).rejects.toThrow(/loopback.*allowPublic/);
    },
  );

  test("a public address serves under the address that was connected to", async () => {
    const server = await startServer({ host: "0.0.0.0", allowPublic: true });
    expect(server.endpoint).toBe(`http://127.0.0.1:${server.port}/`);
    expect((await upgrade(server, bearer)).status).toBe(101);
    expect((await upgrade(server, { ...bearer, Host: "evil.example" })).status).toBe(403);
  });

  test("loopback is told from its look-alikes", () => {
    for (const host of [
      "127.0.0.1",
      "127.255.0.1",
      "::1",
      "[::1]",
      "localhost",
      "::ffff:127.0.0.1",
    ]) {
      expect([host, isLoopback(host)]).toEqual([host, true]);
    }
    for (const host of [
      "127.evil.example",
      "128.0.0.1",
      "::2",
      "localhost.example",
      "0.0.0.0",
      "",
    ]) {
      expect([host, isLoopback(host)]).toEqual([host, false]);
    }
  });

  test("a port that is taken is told so", async () => {
    const { port } = await startServer();
    await expect(startServer({ port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
  });

  test("an endpoint path begins and ends with a slash", async () => {
    const server = await startServer({ endpointPath: "/t/" });
    expect(server.endpoint).toMatch(/:\d+\/t\/$/);
    const peer = await server.websocket();
    expect((await greet(peer)).ok).toBe(true);
    await expect(startServer({ endpointPath: "t" })).rejects.toThrow(/`endpointPath`.*"t"/);
  });
});

test("headers without an end are dropped and the server keeps serving", async () => {
  const server = await startServer();
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"y".repeat(20_000)}`);
  const [head] = await once(socket, "data");
  expect(String(head)).toMatch(/^HTTP\/1\.1 431 /);
  socket.destroy();
  expect((await upgrade(server, bearer)).status).toBe(101);
});

test("a peer that resets while it is refused ends nothing but itself", () => {
  const socket = new PassThrough();
  const clock = new ManualClock();
  const access = new Access({
    ...{ instance: INSTANCE, token: TOKEN, host: "h", clock },
    ...{ allowHosts: [], allowOrigins: [] },
  });
  const request = { headers: {}, url: "/ws", method: "GET", socket: {} };
  const server = { access, metrics: createMetrics() } as unknown as Upgrades;
  upgradeSocket(server, request as unknown as IncomingMessage, socket, Buffer.alloc(0));
  socket.emit("error", new Error("read ECONNRESET"));
  expect(socket.destroyed).toBe(true);
});

test("refusals are counted by reason", async () => {
  const server = await startServer();
  await upgrade(server);
  await upgrade(server, { ...bearer, Origin: "null" });
  const { text } = await server.metrics.page();
  expect(text).toContain('termtopic_refused_total{reason="no_token"} 1');
  expect(text).toContain('termtopic_refused_total{reason="origin"} 1');
});

test("a browser's WebSocket gets in with the pair of subprotocols", async () => {
  const server = await startServer();
  const socket = new WebSocket(`ws://localhost:${server.port}/ws`, SUBPROTOCOLS.split(", "), {
    origin: `http://localhost:${server.port}`,
  });
  await once(socket, "open");
  expect(socket.protocol).toBe("ccmsg.v1");
  socket.terminate();
});

describe("the read-only token", () => {
  const LOOKING = `${TOKEN.slice(0, -1)}I`;
  const offering = (token: string) => ({
    "Sec-WebSocket-Protocol": `ccmsg.v1, ccmsg.token.${token}`,
  });

  test("lets in where there is one, as the other does, and says so in the greeting", async () => {
    const server = await startServer({ readOnlyToken: LOOKING });
    expect((await upgrade(server, offering(TOKEN))).status).toBe(101);
    expect((await upgrade(server, offering(LOOKING))).status).toBe(101);
    expect((await upgrade(server, offering(WRONG))).status).toBe(401);
    const peer = await server.websocket({ headers: { Authorization: `Bearer ${LOOKING}` } });
    expect(await greet(peer)).toMatchObject({ ok: true, read_only: true });
    expect(await greet(await server.unix())).not.toHaveProperty("read_only");
  });

  test("is nobody's where there is none", async () => {
    const server = await startServer();
    expect((await upgrade(server, offering(LOOKING))).status).toBe(401);
  });

  test("is another one than the token", async () => {
    await expect(startServer({ readOnlyToken: TOKEN })).rejects.toThrow("must be another one");
  });
});
