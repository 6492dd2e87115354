import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { MAX_FRAME_BYTES } from "../../src/contract/envelope.ts";
import { MAX_MESSAGE_BYTES } from "../../src/server/websocket.ts";
import {
  CARRIERS,
  GENERATION,
  greet,
  INSTANCE,
  type Message,
  OTHER_INSTANCE,
  type Peer,
  SID,
  seededRandom,
  startServer,
  type TestServer,
  TOKEN,
} from "./support.ts";

const hello = { op: "hello.user", request_id: "1", protocol_version: GENERATION };
const ping = { op: "instance.ping", request_id: "1" };

interface Case {
  readonly what: string;
  readonly line: string | Uint8Array;
  readonly code: string;
  readonly id?: string;
  readonly greeted?: true;
}

const json = JSON.stringify;

const CASES: readonly Case[] = [
  { what: "a line over the limit", line: "x".repeat(MAX_FRAME_BYTES + 1), code: "bad_request" },
  { what: "a line that is not JSON", line: "{op:1}", code: "bad_request" },
  { what: "two values on a line", line: "{} {}", code: "bad_request" },
  {
    what: "invalid UTF-8",
    line: Buffer.from('{"op":"instance.ping","request_id":"\xff"}', "latin1"),
    code: "bad_request",
  },
  { what: "a byte order mark", line: `\ufeff${json(ping)}`, code: "bad_request" },
  { what: "an array", line: "[1]", code: "bad_request" },
  { what: "a string", line: '"op"', code: "bad_request" },
  { what: "null", line: "null", code: "bad_request" },
  { what: "no op", line: "{}", code: "bad_request" },
  {
    what: "no op, but a request_id",
    line: json({ request_id: "9" }),
    code: "bad_request",
    id: "9",
  },
  { what: "no request_id", line: json({ op: "instance.ping" }), code: "bad_request" },
  { what: "an empty request_id", line: json({ ...ping, request_id: "" }), code: "bad_request" },
  { what: "an unknown op", line: json({ ...ping, op: "hello" }), code: "unknown_op", id: "1" },
  {
    what: "wrong arguments",
    line: json({ ...hello, protocol_version: 0 }),
    code: "invalid_args",
    id: "1",
  },
  {
    what: "a misspelled topic",
    line: json({ ...ping, op: "topic.subscribe", topic: "terminal" }),
    code: "invalid_args",
    id: "1",
  },
  { what: "no greeting", line: json(ping), code: "hello_required", id: "1" },
  {
    what: "a role that may not",
    line: json({ ...ping, op: "topic.subscribe", topic: "auth.records" }),
    code: "forbidden",
    id: "1",
    greeted: true,
  },
  {
    what: "a topic with nothing behind it",
    line: json({ ...ping, op: "topic.subscribe", topic: `transcript:${SID}` }),
    code: "capability_unavailable",
    id: "1",
    greeted: true,
  },
  {
    what: "another instance",
    line: json({ ...ping, to_instance: OTHER_INSTANCE }),
    code: "instance_unreachable",
    id: "1",
    greeted: true,
  },
  {
    what: "a loop",
    line: json({ ...ping, hops: [INSTANCE] }),
    code: "instance_unreachable",
    id: "1",
    greeted: true,
  },
];

describe.each(CARRIERS)("over a %s", (carrier) => {
  test.each(CASES)("$what is answered $code and the connection stays", async (one) => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    if (one.greeted) await greet(peer);
    peer.line(one.line);
    const reply = await peer.next();
    expect(reply).toEqual({
      ok: false,
      ...(one.id !== undefined && { request_id: one.id }),
      error: { code: one.code, msg: expect.stringMatching(/\S/) },
    });
    const after = one.greeted ? await peer.request("instance.ping") : await greet(peer);
    expect(after.ok).toBe(true);
    expect(peer.inbox.rest).toBe("");
  });

  test("blank lines are ignored and several lines come in one piece", async () => {
    const peer = await (await startServer()).peer(carrier);
    peer.send(`\n \r\n\t\n${json(hello)}\n\n${json({ ...ping, request_id: "2" })}\n`);
    const replies: Message[] = [await peer.next(), await peer.next()];
    expect(replies.map(({ request_id, ok }) => [request_id, ok])).toEqual([
      ["2", false],
      ["1", true],
    ]);
  });

  test("10 000 malformed inputs get their answers, in order, and none ends the connection", async () => {
    const server = await startServer();
    const random = seededRandom(20_260);
    const runs = Array.from({ length: 10 }, async () => {
      const peer = await server.peer(carrier);
      const inputs = Array.from({ length: 1_000 }, (_, index) => malformed(random, index));
      for (const { line } of inputs) sendInPieces(peer, line, random);
      for (const { code, id } of inputs) {
        const reply = await peer.next();
        expect([reply.ok, reply.error?.code, reply.request_id]).toEqual([false, code, id]);
      }
      expect((await greet(peer)).ok).toBe(true);
      expect(peer.inbox.unread).toBe(0);
    });
    await Promise.all(runs);
    expect(server.connections()).toBe(10);
  });
});

/** On a stream a line may come in any pieces; a message is a whole line. */
function sendInPieces(peer: Peer, line: Buffer, random: () => number): void {
  if (peer.carrier === "websocket") {
    peer.send(random() < 0.5 ? line : Buffer.concat([line, Buffer.from("\n")]));
    return;
  }
  const cut = Math.floor(random() * line.length);
  peer.send(line.subarray(0, cut));
  peer.send(Buffer.concat([line.subarray(cut), Buffer.from("\n")]));
}

interface Malformed {
  readonly line: Buffer;
  readonly code: string;
  readonly id?: string | undefined;
}

function malformed(random: () => number, index: number): Malformed {
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const id = `m${index}`;
  const bad = (line: string | Buffer): Malformed => ({
    line: Buffer.from(line as string),
    code: "bad_request",
  });
  if (index % 250 === 0) return bad("y".repeat(MAX_FRAME_BYTES + 1 + below(1_000)));
  switch (below(9)) {
    case 0: {
      const noise = Buffer.from(Array.from({ length: 1 + below(60) }, () => 11 + below(245)));
      return bad(Buffer.concat([Buffer.from([0xc0]), noise]));
    }
    case 1: {
      const whole = json({ ...hello, request_id: id });
      return bad(whole.slice(0, 1 + below(whole.length - 1)));
    }
    case 2:
      return bad(pick(["0", "-1e9", "true", "null", '"{}"', "[]", "[{}]", '[{"op":1}]']));
    case 3:
      return bad(
        json(pick<object>([{}, { op: "instance.ping" }, { op: "x", request_id: "" }, { op: 0 }])),
      );
    case 4:
      return { ...bad(json({ request_id: id, op: pick<unknown>([0, null, [], {}, true]) })), id };
    case 5:
      return {
        line: Buffer.from(
          json({ op: pick(["", "hello", "__proto__", "topic", "toString"]), request_id: id }),
        ),
        code: "unknown_op",
        id,
      };
    case 6:
      return {
        line: Buffer.from(
          json({
            op: "topic.subscribe",
            request_id: id,
            topic: pick<unknown>([0, "", "terminals ", "kv:", "transcript:x", null]),
          }),
        ),
        code: "invalid_args",
        id,
      };
    case 7:
      return {
        line: Buffer.from(
          json({
            ...hello,
            request_id: id,
            protocol_version: pick<unknown>([0, -1, 1.5, "4", null, 1e300]),
          }),
        ),
        code: "invalid_args",
        id,
      };
    default:
      return {
        line: Buffer.from(json({ op: "topic.unsubscribe", request_id: id, topic: "terminals" })),
        code: "hello_required",
        id,
      };
  }
}

test("a reply is a line below the limit whatever was asked", async () => {
  const peer = await (await startServer()).websocket();
  await greet(peer);
  peer.line(json({ ...ping, request_id: "\u2028".repeat(16_384) }));
  expect((await peer.next()).request_id).toHaveLength(16_384);
});

test("binary messages close their connections with message_kind and leave the others alone", async () => {
  const server = await startServer();
  const bystander = await server.websocket();
  const random = seededRandom(7);
  for (let round = 0; round < 100; round++) {
    const peer = await server.websocket();
    const size = Math.floor(random() * 2_000);
    peer.socket.send(Buffer.alloc(size, round), { binary: true });
    expect(await peer.closed).toBe(4400);
  }
  expect((await greet(bystander)).ok).toBe(true);
});

test("a message over the limit of messages closes its connection with frame_too_big", async () => {
  const server = await startServer();
  const peer = await server.websocket();
  peer.line("z".repeat(MAX_MESSAGE_BYTES));
  expect((await peer.next()).error.code).toBe("bad_request");
  peer.line("z".repeat(MAX_MESSAGE_BYTES + 1));
  expect(await peer.closed).toBe(1009);
});

test("what is no WebSocket framing closes with protocol_error", async () => {
  const server = await startServer();
  const peer = await server.websocket();
  // A text frame without a mask, which no client may send.
  rawSocket(peer).write(Buffer.from([0x81, 0x01, 0x61]));
  expect(await peer.closed).toBe(1002);
});

test("half a line at the end of a Unix connection is nothing", async () => {
  const server = await startServer();
  const random = seededRandom(3);
  for (let round = 0; round < 100; round++) {
    const peer = await server.unix();
    const whole = json(hello);
    peer.send(whole.slice(0, Math.floor(random() * whole.length)));
    peer.socket.end();
    expect(await peer.closed).toBe(0);
    expect(peer.inbox.unread).toBe(0);
  }
  expect(server.connections()).toBe(0);
});

test("half a frame, half a handshake and half a request before a reset leave the server serving", async () => {
  const server = await startServer();
  const random = seededRandom(4);
  const handshake = [
    "GET /ws HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Authorization: Bearer ${TOKEN}`,
    "",
    "",
  ].join("\r\n");
  for (let round = 0; round < 60; round++) {
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    const frame = Buffer.from([0x81, 0xfe, 0x10, 0x00, 1, 2, 3, 4, 5]);
    const bytes = Buffer.concat([Buffer.from(handshake), frame]);
    socket.write(bytes.subarray(0, Math.floor(random() * bytes.length)));
    socket.on("error", () => {});
    socket.resetAndDestroy();
    await once(socket, "close");
  }
  const peer = await server.websocket();
  expect((await greet(peer)).ok).toBe(true);
  await server.hub.until(() => closedReaders(server) === server.hub.readers.length - 1);
});

function closedReaders({ hub }: TestServer): number {
  return hub.readers.filter(({ calls }) => calls.includes("end")).length;
}

function rawSocket(peer: { socket: unknown }): { write(bytes: Buffer): void } {
  return (peer.socket as { _socket: { write(bytes: Buffer): void } })._socket;
}
