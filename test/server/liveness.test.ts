import { execFile } from "node:child_process";
import { once } from "node:events";
import { lstat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { describe, expect, test } from "vitest";
import { CLOSE_GRACE_MS } from "../../src/server/close-grace.ts";
import { Heartbeat, PING_MS } from "../../src/server/heartbeat.ts";
import { REQUEST_BURST } from "../../src/server/pace.ts";
import {
  CARRIERS,
  greet,
  INSTANCE,
  ManualClock,
  type Peer,
  startServer,
  type TestServer,
  TOKEN,
  temporaryFolder,
  type UnixPeer,
  type WebSocketPeer,
} from "./support.ts";

/** Sends to a peer that reads nothing, until the network takes no more and a good part is waiting. */
function fill({ hub }: TestServer): void {
  const line = Buffer.from(`${JSON.stringify({ filler: "x".repeat(65_536) })}\n`);
  const { sink } = hub.last;
  for (let sent = 0; sent < 200; sent++) sink.send(line);
  expect(sink.buffered).toBeGreaterThan(1_048_576);
}

function stall(peer: Peer): void {
  (peer as WebSocketPeer | UnixPeer).socket.pause();
}

const ended = ({ hub }: TestServer) => hub.until(() => hub.last.calls.includes("end"));

describe("a heartbeat", () => {
  function watched(phase = 0) {
    const clock = new ManualClock();
    const seen: string[] = [];
    const peer = { ping: () => seen.push("ping"), excused: false, lost: () => seen.push("lost") };
    return { clock, seen, peer, heartbeat: new Heartbeat(clock, peer, phase) };
  }

  test("tells of the peer that lets one interval pass, and ends", () => {
    const { clock, seen } = watched();
    clock.advance(PING_MS - 1);
    expect(seen).toEqual(["ping"]);
    clock.advance(1);
    expect(seen).toEqual(["ping", "lost"]);
    expect(clock.pending).toBe(0);
  });

  test("goes on while it is answered", () => {
    const { clock, seen, heartbeat } = watched();
    clock.advance(0);
    for (let beat = 0; beat < 5; beat++) {
      heartbeat.answered();
      clock.advance(PING_MS);
    }
    expect(seen.at(-1)).toBe("ping");
    heartbeat.stop();
    expect(clock.pending).toBe(0);
  });

  test("excuses a peer that is not being read", () => {
    const { clock, seen, peer } = watched();
    peer.excused = true;
    clock.advance(4 * PING_MS);
    expect(seen).not.toContain("lost");
  });

  test("begins where its phase says", () => {
    const { clock, seen } = watched(0.5);
    clock.advance(PING_MS / 2 - 1);
    expect(seen).toEqual([]);
    clock.advance(1);
    expect(seen).toEqual(["ping"]);
  });
});

test("a WebSocket that answers no ping is cut, and one that answers stays", async () => {
  const server = await startServer();
  const alive = await server.websocket();
  await greet(alive);
  const stalled = await server.websocket();
  const [aliveReader, stalledReader] = server.hub.readers;
  stall(stalled);
  for (let beat = 0; beat < 4; beat++) {
    const pinged = once(alive.socket, "ping");
    server.clock.advance(PING_MS);
    await pinged;
    // The pong went ahead of this request.
    await alive.request("instance.ping");
  }
  await server.hub.until(() => stalledReader?.calls.includes("end") ?? false);
  expect(aliveReader?.calls).toEqual([]);
  expect(server.connections()).toBe(1);
  expect((await server.metrics.page()).text).toContain("termtopic_pings_unanswered_total 1");
});

test("there is no timer without a connection", async () => {
  const server = await startServer();
  expect(server.clock.pending).toBe(0);
  const peer = await server.websocket();
  expect(server.clock.pending).toBe(1);
  peer.end();
  await ended(server);
  expect(server.clock.pending).toBe(0);
  const unix = await server.unix();
  await greet(unix);
  expect(server.clock.pending).toBe(0);
});

describe.each(CARRIERS)("over a %s", (carrier) => {
  const code = (websocket: number) => (carrier === "unix" ? 0 : websocket);

  test("a reader that is evicted is told too_slow where it reads", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    server.hub.last.sink.evict();
    expect(await peer.closed).toBe(code(4408));
    expect((await server.metrics.page()).text).toContain(
      `termtopic_evictions_total{carrier="${carrier}"} 1`,
    );
  });

  test("a reader that is evicted and reads nothing is cut", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    stall(peer);
    fill(server);
    server.hub.last.sink.evict();
    server.clock.advance(CLOSE_GRACE_MS);
    await ended(server);
    expect(server.connections()).toBe(0);
    expect(server.clock.pending).toBe(0);
  });

  test("nothing is sent to a reader that is on its way out", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    const { sink } = server.hub.last;
    sink.evict();
    sink.send(Buffer.from('{"late":1}\n'));
    await peer.closed;
    expect(peer.inbox.unread).toBe(0);
  });

  test("a flood is read at the stated pace, and every request of it is answered", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    await greet(peer);
    const flood = 500;
    const lines = Array.from(
      { length: REQUEST_BURST + flood },
      (_, index) => `{"op":"instance.ping","request_id":"${index}"}`,
    );
    peer.line(lines.join("\n"));
    const seen = new Set<string>();
    const answers = async (count: number) => {
      for (let index = 0; index < count; index++) seen.add((await peer.next()).request_id);
    };
    // The greeting took one of the burst.
    await answers(REQUEST_BURST - 1);
    expect(peer.inbox.unread).toBe(0);
    for (let step = 0; step < flood / 10; step++) {
      server.clock.advance(10);
      await answers(10);
      expect(peer.inbox.unread).toBe(0);
    }
    server.clock.advance(10);
    await answers(1);
    expect(seen.size).toBe(lines.length);
  });

  test("a stop closes with going_away and says no more", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    await greet(peer);
    await Promise.all([server.stop("stop"), server.stop("restart")]);
    expect(await peer.closed).toBe(code(1001));
    expect(peer.inbox.unread).toBe(0);
    expect(server.clock.pending).toBe(0);
  });

  test("a restart is told to who has greeted, and closes with restarting", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    const stranger = await server.peer(carrier);
    await greet(peer);
    await server.stop("restart");
    expect(await peer.next()).toEqual({ ev: "restarting", instance: INSTANCE });
    expect(await peer.closed).toBe(code(1012));
    expect(await stranger.closed).toBe(code(1012));
    expect(stranger.inbox.unread).toBe(0);
  });

  test("a stop does not wait for a peer that reads nothing", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    stall(peer);
    fill(server);
    const stopped = server.stop("stop");
    server.clock.advance(CLOSE_GRACE_MS);
    await stopped;
    expect(server.connections()).toBe(0);
  });

  test("a stop closes a connection that is not being read just then", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    peer.line("x\n".repeat(REQUEST_BURST + 1));
    for (let answered = 0; answered < REQUEST_BURST; answered++) await peer.next();
    await server.stop("stop");
    expect(await peer.closed).toBe(code(1001));
  });

  test("what was sent before a stop arrives before the end", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    for (let index = 0; index < 50; index++) {
      server.hub.last.sink.send(Buffer.from(`{"index":${index},"x":"${"x".repeat(20_000)}"}\n`));
    }
    await server.stop("stop");
    for (let index = 0; index < 50; index++) expect((await peer.next()).index).toBe(index);
    expect(await peer.next()).toBeUndefined();
  });
});

test("after a stop nothing accepts and the Unix socket is gone", async () => {
  const server = await startServer();
  await server.stop("stop");
  await expect(lstat(server.socket)).rejects.toThrow(/ENOENT/);
  const refused = connect(server.port, "127.0.0.1");
  const [error] = await once(refused, "error");
  expect(error.code).toBe("ECONNREFUSED");
});

test("an upgrade that was half said when the stop began is refused with 503", async () => {
  const server = await startServer();
  const holdout = await server.websocket();
  stall(holdout);
  fill(server);
  const late = connect(server.port, "127.0.0.1");
  const head = [
    "GET /ws HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Authorization: Bearer ${TOKEN}`,
  ].join("\r\n");
  late.write(head);
  // An answer on another connection shows that the server has read up to here.
  await (await fetch(`${server.endpoint}healthz`)).text();
  const stopped = server.stop("stop");
  late.write("\r\n\r\n");
  const [answer] = await once(late, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
  holdout.end();
  await stopped;
});

test("a stop does not wait for a request that is never finished", async () => {
  const server = await startServer();
  const half = connect(server.port, "127.0.0.1");
  half.on("error", () => {});
  half.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ");
  await (await fetch(`${server.endpoint}healthz`)).text();
  const cut = once(half, "close");
  await server.stop("stop");
  await cut;
});

test("a process that has stopped serving exits by itself", async () => {
  const folder = await temporaryFolder();
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, "program/serve-and-stop.ts"),
      outDir: join(folder, "dist"),
      rollupOptions: { output: { entryFileNames: "program.mjs" } },
    },
  });
  const run = promisify(execFile)(process.execPath, [join(folder, "dist/program.mjs"), folder], {
    timeout: 30_000,
  });
  const { stdout } = await run;
  expect(JSON.parse(stdout)).toEqual({ code: 1012, connections: 0 });
}, 60_000);
