import { describe, expect, test } from "vitest";
import type { TerminalCall, TerminalOps } from "../../src/acting/ops/call.ts";
import { type Client, connect, subscribe } from "../../src/client/index.ts";
import { nodeWebSocketTransport, unixSocketTransport } from "../../src/client/node.ts";
import { afterTest, type Peer, startServer, type TestServer, TOKEN } from "../server/support.ts";

const ID = "pty:a";

/** Keeps what was asked for, and answers as the test says. */
class Answering implements TerminalOps {
  readonly calls: TerminalCall[] = [];
  answer: (call: TerminalCall) => Promise<object> = async () => ({});
  #notice = () => {};

  carryOut(call: TerminalCall): Promise<object> {
    this.calls.push(call);
    this.#notice();
    return this.answer(call);
  }

  async has(count: number): Promise<void> {
    while (this.calls.length < count) {
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
    }
  }
}

const keysOf = ({ calls }: Answering) =>
  calls.map(({ request }) => ("key" in request ? request.key : undefined));

const never = () => new Promise<never>(() => {});

const transportOf = (server: TestServer, carrier: Peer["carrier"]) =>
  carrier === "unix"
    ? unixSocketTransport(server.socket)
    : nodeWebSocketTransport(server.endpoint, { token: TOKEN });

async function served(carrier: Peer["carrier"] = "unix") {
  const ops = new Answering();
  const server = await startServer({ terminals: ops });
  const client = connect({ transport: transportOf(server, carrier), random: () => 0 });
  afterTest(() => client.close());
  return { ops, server, client };
}

/** Resolves once the client stands so. */
function becomes(client: Client, state: Client["status"]["state"]): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (client.status.state === state) resolve();
    };
    client.on("status", look);
    look();
  });
}

describe.each(["unix", "websocket"] as const)("over %s", (carrier) => {
  test("each action is the request that the contract has for it, and answers its result", async () => {
    const { ops, client } = await served(carrier);
    const { terminal } = client;
    const key = "k";
    ops.answer = async () => ({ id: ID, session: "cli", number: 3 });
    expect(await terminal.open({ cwd: "/", key })).toEqual({ id: ID, session: "cli", number: 3 });
    ops.answer = async ({ op }) =>
      op === "terminal.resize" ? { cols: 80, rows: 24 } : { text: "t", name: "n" };
    expect(await terminal.send(ID, "x", { literal: true, key })).toBeUndefined();
    expect(await terminal.send(ID, ["a", "Enter"], { pid: 7, key })).toBeUndefined();
    const wait = { until: "exit", timeout_ms: 5 } as const;
    expect(await terminal.read(ID, { peek: true, wait })).toMatchObject({ text: "t" });
    expect(await terminal.capture(ID, { scrollback: 9 })).toMatchObject({ text: "t" });
    expect(await terminal.resize(ID, 80, 24)).toEqual({ cols: 80, rows: 24 });
    expect(await terminal.signal(ID, "SIGINT", { key })).toBeUndefined();
    expect(await terminal.close(ID, { force: true, key })).toBeUndefined();
    expect(await terminal.rename(ID, "n")).toMatchObject({ name: "n" });
    const asked = ops.calls.map(({ request: { request_id: _, ...asked } }) => asked);
    expect(asked).toEqual([
      { op: "terminal.open", cwd: "/", key },
      { op: "terminal.send", id: ID, keys: ["x"], literal: true, key },
      { op: "terminal.send", id: ID, keys: ["a", "Enter"], pid: 7, key },
      { op: "terminal.read", id: ID, peek: true, wait },
      { op: "terminal.capture", id: ID, scrollback: 9 },
      { op: "terminal.resize", id: ID, cols: 80, rows: 24 },
      { op: "terminal.signal", id: ID, signal: "SIGINT", key },
      { op: "terminal.close", id: ID, force: true, key },
      { op: "terminal.rename", id: ID, name: "n" },
    ]);
  });

  test("what was on its way when the connection ended is told as that, and never sent again", async () => {
    const { ops, server, client } = await served(carrier);
    ops.answer = never;
    const sent = client.terminal.send(ID, "rm -r x");
    const settled = sent.catch((error: unknown) => error);
    await ops.has(1);
    ops.answer = async () => ({ text: "" });
    const keys = keysOf(ops);
    server.hub.last.sink.evict();
    expect(await settled).toMatchObject({
      name: "CallError",
      outcome: "unknown",
      key: keys[0],
    });
    await becomes(client, "live");
    await client.terminal.capture(ID);
    expect(ops.calls.map(({ op }) => op)).toEqual(["terminal.send", "terminal.capture"]);
  });
});

test("each call has a key of its own, which is no other's", async () => {
  const { ops, client } = await served();
  await client.terminal.send(ID, "x");
  await client.terminal.send(ID, "x");
  const keys = keysOf(ops);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).not.toBe(keys[0]);
});

test("a call before the first greeting waits for it; one without a connection is told to be not sent", async () => {
  const { ops, server, client } = await served();
  expect(client.status.state).toBe("connecting");
  await client.terminal.send(ID, "x");
  expect(ops.calls).toHaveLength(1);
  client.close();
  await expect(client.terminal.send(ID, "x")).rejects.toMatchObject({ outcome: "not_sent" });
  const nobody = connect({ transport: unixSocketTransport(`${server.socket}.none`) });
  afterTest(() => nobody.close());
  const waiting = nobody.terminal.send(ID, "x");
  await expect(waiting).rejects.toMatchObject({ outcome: "not_sent" });
  expect(ops.calls).toHaveLength(1);
});

test("a refusal is the publisher's own, and a reply that does not fit is none", async () => {
  const { ops, client } = await served();
  const fault = { code: "rate_limited", reason: "busy", program: "vim" };
  ops.answer = () => Promise.reject(Object.assign(new Error("vim runs in it"), fault));
  await expect(client.terminal.close(ID)).rejects.toMatchObject({
    outcome: "refused",
    error: { ...fault, msg: "vim runs in it" },
  });
  ops.answer = async () => ({ text: 7 });
  await expect(client.terminal.capture(ID)).rejects.toMatchObject({ outcome: "unknown" });
});

test("a call may be given up, before it is sent and after, and ends by itself in time", async () => {
  const { ops, client } = await served();
  ops.answer = never;
  const before = client.terminal.send(ID, "x", { signal: AbortSignal.abort() });
  await expect(before).rejects.toMatchObject({ outcome: "not_sent" });
  const controller = new AbortController();
  const after = client.terminal.send(ID, "x", { signal: controller.signal });
  const settled = after.catch((error: unknown) => error);
  await ops.has(1);
  controller.abort();
  expect(await settled).toMatchObject({ outcome: "unknown" });
  const late = client.terminal.send(ID, "x", { timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({ outcome: "unknown" });
});

test("what is longer than a line may be is not sent", async () => {
  const { ops, client } = await served();
  await becomes(client, "live");
  const long = client.terminal.send(ID, "é".repeat(600_000));
  await expect(long).rejects.toMatchObject({ outcome: "not_sent" });
  expect(ops.calls).toEqual([]);
});

test("a subscription acts over its own connection", async () => {
  const { ops, server, client } = await served();
  await becomes(client, "live");
  const before = server.connections();
  const subscription = subscribe({
    transport: nodeWebSocketTransport(server.endpoint, { token: TOKEN }),
    topics: ["terminals"],
  });
  afterTest(() => subscription.close());
  await subscription.terminal.send(ID, "x");
  expect(ops.calls).toHaveLength(1);
  expect(server.connections()).toBe(before + 1);
  ops.answer = never;
  const waiting = subscription.terminal.read(ID);
  await ops.has(2);
  subscription.close();
  await expect(waiting).rejects.toMatchObject({ outcome: "unknown" });
});
