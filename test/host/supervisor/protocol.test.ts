import { expect, test } from "vitest";
import {
  LOCAL_HELLO,
  MAXIMUM_FRAME_BYTES,
  negotiate,
  ProtocolError,
} from "../../../src/host/supervisor/index.ts";
import { requestId, serveSupervisor } from "./served-supervisor.ts";

const kindOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof ProtocolError ? error.kind : error;
  }
};

test("the version is the lower of the newest, where both speak it", () => {
  const peer = { minimum: 1, current: 9, capabilities: 1 };
  expect(negotiate(LOCAL_HELLO, LOCAL_HELLO)).toBe(6);
  expect(negotiate(LOCAL_HELLO, peer)).toBe(6);
  expect(negotiate({ ...peer, current: 7 }, peer)).toBe(7);
});

test.each([
  ["a minimum of 0 is invalid", { minimum: 0, current: 6, capabilities: 1 }, "invalid_hello"],
  ["a minimum above the current", { minimum: 7, current: 6, capabilities: 1 }, "invalid_hello"],
  ["older versions alone", { minimum: 2, current: 2, capabilities: 1 }, "incompatible_version"],
  ["newer versions alone", { minimum: 7, current: 8, capabilities: 1 }, "incompatible_version"],
  ["no framed JSON", { minimum: 6, current: 6, capabilities: 14 }, "missing_capability"],
])("a hello is refused on either side for %s", (_, peer, kind) => {
  expect(kindOf(() => negotiate(LOCAL_HELLO, peer))).toBe(kind);
  expect(kindOf(() => negotiate(peer, LOCAL_HELLO))).toBe(kind);
});

test("capabilities beyond 32 bits are read as they are", () => {
  const peer = { minimum: 6, current: 6, capabilities: 2 ** 40 + 1 };
  expect(negotiate(LOCAL_HELLO, peer)).toBe(6);
  expect(kindOf(() => negotiate(LOCAL_HELLO, { ...peer, capabilities: 2 ** 40 }))).toBe(
    "missing_capability",
  );
});

test("a hello is answered with the version and the instance, which stays the same", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const hello = await client.ask({ kind: "hello", hello: LOCAL_HELLO });
  expect(hello).toEqual({
    kind: "hello",
    hello: LOCAL_HELLO,
    negotiated: 6,
    instance_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(await served.connect().ask({ kind: "hello", hello: LOCAL_HELLO })).toEqual(hello);
});

test("a hello that is refused is a failure, and the connection goes on", async () => {
  const client = (await serveSupervisor()).connect();
  const old = { minimum: 2, current: 2, capabilities: 1 };
  const none = { minimum: 0, current: 6, capabilities: 1 };
  const mute = { minimum: 6, current: 6, capabilities: 0 };
  const codes = [];
  for (const hello of [old, none, mute]) {
    const { kind, code } = await client.ask({ kind: "hello", hello });
    codes.push([kind, code]);
  }
  expect(codes).toEqual([
    ["failure", "incompatible_protocol"],
    ["failure", "invalid_request"],
    ["failure", "incompatible_protocol"],
  ]);
  expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
});

test("ping, terminal and cancel need no hello before them", async () => {
  const client = (await serveSupervisor()).connect();
  expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
  expect(await client.operate({ action: "list" })).toEqual({ success: { list: { sessions: [] } } });
  const nobody = { kind: "cancel", request_id: requestId() };
  expect(await client.ask(nobody)).toEqual({ kind: "cancelled", accepted: false });
});

test("answers come in the order of the requests, and pong before what is still waited for", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const { session } = (await client.operate(served.start("sleep 600"))).success.start;
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 600_000 };
  const waiting = client.begin({ action: "wait", session_id: session.session_id, ...exit });
  client.begin({ action: "list" });
  expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
  expect(await client.ask({ kind: "cancel", request_id: waiting })).toEqual({
    kind: "cancelled",
    accepted: true,
  });
  expect((await client.result()).success.wait.outcome).toEqual({ cancelled: {} });
  expect((await client.result()).success.list.sessions).toHaveLength(1);
});

test("a cancel reaches an operation of another connection", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 600_000 };
  const starting = client.begin(served.start("sleep 600", exit));
  await client.ask({ kind: "ping" });
  const other = served.connect();
  const cancel = { kind: "cancel", request_id: starting };
  for (;;) if ((await other.ask(cancel)).accepted) break;
  const { session, outcome } = (await client.result()).success.start;
  expect(outcome).toEqual({ cancelled: {} });
  expect(session.lifecycle).toBe("running");
});

test("an id is refused that is that of an operation under way, and one that is no id", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 600_000 };
  const id = client.begin(served.start("sleep 600", exit));
  await client.ask({ kind: "ping" });
  const other = served.connect();
  other.begin({ action: "list" }, id.toUpperCase());
  expect(await other.next()).toMatchObject({ kind: "failure", code: "terminal_operation_failed" });
  other.begin({ action: "list" }, "x");
  expect(await other.next()).toMatchObject({
    kind: "failure",
    code: "terminal_operation_failed",
    message: expect.stringMatching(/32 hexadecimal/),
  });
  client.send({ kind: "cancel", request_id: id });
  expect(await client.next()).toEqual({ kind: "cancelled", accepted: true });
  expect((await client.result()).success.start.outcome).toEqual({ cancelled: {} });
  client.begin({ action: "list" }, id);
  expect((await client.result()).success.list.sessions).toHaveLength(1);
});

test("a request without the shape of one is a failure, and the connection goes on", async () => {
  const client = (await serveSupervisor()).connect();
  for (const request of [null, 7, [], {}, { kind: "other" }, { kind: "terminal", request_id: 1 }]) {
    expect(await client.ask(request)).toMatchObject({ kind: "failure", code: "invalid_request" });
  }
  expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
});

test.each([
  ["of no bytes", Buffer.from([0, 0, 0, 0])],
  ["of a byte too many", lengthOnly(MAXIMUM_FRAME_BYTES + 1)],
  ["that is no JSON", Buffer.from([0, 0, 0, 1, 0x7b])],
])("a frame %s ends its connection with a failure, and no other", async (_, bytes) => {
  const served = await serveSupervisor();
  const other = served.connect();
  await other.ask({ kind: "ping" });
  const client = served.connect();
  client.socket.write(bytes);
  expect(await client.next()).toMatchObject({ kind: "failure", code: "invalid_request" });
  await client.closed;
  expect(await other.ask({ kind: "ping" })).toEqual({ kind: "pong" });
});

test("more operations than may be under way on a connection are refused in their order", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const { session } = (await client.operate(served.start("sleep 600"))).success.start;
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 600_000 };
  const wait = { action: "wait", session_id: session.session_id, ...exit };
  for (let count = 0; count < 33; count += 1) client.begin(wait);
  await client.ask({ kind: "ping" });
  await served
    .connect()
    .operate({ action: "close", session_id: session.session_id, close_policy: "force" });
  for (let count = 0; count < 32; count += 1) {
    expect((await client.result()).success.wait.outcome).not.toHaveProperty("safety_ceiling");
  }
  expect(await client.next()).toMatchObject({ code: "terminal_operation_failed" });
});

test("a client that has said all it has to say is answered, and its waits are cancelled", async () => {
  const served = await serveSupervisor();
  const client = served.connect();
  const exit = { return_when: { kind: "exit" }, wait_ceiling_ms: 600_000 };
  client.begin(served.start("sleep 600", exit));
  client.begin({ action: "list" });
  client.socket.end();
  expect((await client.result()).success.start.outcome).toEqual({ cancelled: {} });
  expect((await client.result()).success.list).toBeDefined();
  await client.closed;
});

function lengthOnly(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
