import { describe, expect, test } from "vitest";
import type { TerminalCall, TerminalOps } from "../../src/acting/ops/call.ts";
import {
  MAX_CALLS_ON_ONE_TERMINAL,
  MAX_TERMINAL_CALLS,
  MAX_WAITING_TEXT,
} from "../../src/server/terminal-calls.ts";
import {
  CARRIERS,
  greet,
  INSTANCE,
  type Message,
  type Peer,
  startServer,
  UnixPeer,
} from "./support.ts";

/** Does nothing until a test lets it, and keeps what it was asked for. */
class HeldOps implements TerminalOps {
  readonly begun: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #held = new Map<string, () => void>();
  #notice = () => {};

  carryOut({ op, request }: TerminalCall, signal: AbortSignal): Promise<object> {
    this.signals.push(signal);
    this.begun.push(request.request_id);
    this.#notice();
    return new Promise((resolve, reject) => {
      this.#held.set(request.request_id, () => resolve(op === "terminal.read" ? { text: "" } : {}));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  release(id: string): void {
    this.#held.get(id)?.();
  }

  /** Resolves once so many have begun. */
  async has(count: number): Promise<void> {
    while (this.begun.length < count) {
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
    }
  }
}

async function held(carrier: Peer["carrier"] = "unix") {
  const ops = new HeldOps();
  const server = await startServer({ terminals: ops });
  const peer = await server.peer(carrier);
  await greet(peer);
  const ask = (op: string, id: string, requestId: string, more: object = {}) =>
    peer.line(JSON.stringify({ op: `terminal.${op}`, request_id: requestId, id, ...more }));
  const send = (id: string, requestId: string, text = "x") =>
    ask("send", id, requestId, { keys: [text] });
  return { ops, server, peer, ask, send };
}

const answered = (message: Message) => [message.request_id, message.ok || message.error.reason];

describe.each(CARRIERS)("over %s", (carrier) => {
  test("requests about one terminal are begun one after the other, about others at once", async () => {
    const { ops, peer, ask, send } = await held(carrier);
    send("pty:a", "a1");
    ask("send", "pty:a", "a2", { keys: ["x"], to_instance: INSTANCE });
    ask("close", "pty:a", "a3");
    send("pty:b", "b1");
    await ops.has(2);
    expect(ops.begun).toEqual(["b1", "a1"].sort());
    ops.release("b1");
    expect(answered(await peer.next())).toEqual(["b1", true]);
    for (const id of ["a1", "a2", "a3"]) {
      ops.release(id);
      expect(answered(await peer.next())).toEqual([id, true]);
    }
    expect(ops.begun).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("what only looks begins after what changes before it, and holds up nothing", async () => {
    const { ops, peer, ask, send } = await held(carrier);
    send("pty:a", "1");
    ask("read", "pty:a", "2", { wait: { until: "exit", timeout_ms: 60_000 } });
    ask("capture", "pty:a", "3");
    send("pty:a", "4");
    await ops.has(1);
    expect(ops.begun).toEqual(["1"]);
    ops.release("1");
    expect(answered(await peer.next())).toEqual(["1", true]);
    await ops.has(4);
    expect(ops.begun).toEqual(["1", "2", "3", "4"]);
  });

  test("a request that failed keeps nobody from the next one", async () => {
    const { ops, peer, send } = await held(carrier);
    const carryOut = ops.carryOut.bind(ops);
    const fault = Object.assign(new Error("it is gone"), { code: "not_found", reason: "gone" });
    ops.carryOut = () => Promise.reject(fault);
    send("pty:a", "1");
    expect(await peer.next()).toEqual({
      ok: false,
      request_id: "1",
      error: { code: "not_found", msg: "it is gone", reason: "gone" },
    });
    ops.carryOut = carryOut;
    send("pty:a", "2");
    await ops.has(1);
    expect(ops.begun).toEqual(["2"]);
  });

  test("what waits when the connection ends is not done, and what is under way is told", async () => {
    const { ops, server, peer, send } = await held(carrier);
    send("pty:a", "1");
    send("pty:a", "2");
    await ops.has(1);
    const [signal] = ops.signals;
    const told = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve());
    });
    peer.end();
    await told;
    await server.hub.until(() => server.hub.last.calls.includes("end"));
    expect(ops.begun).toEqual(["1"]);
  });
});

test("one terminal that is slow fills its own queue, and no other's; what finds no room is told", async () => {
  const { ops, peer, send } = await held();
  for (let index = 0; index < MAX_CALLS_ON_ONE_TERMINAL; index += 1) send("pty:a", `a${index}`);
  send("pty:a", "over");
  expect(await peer.next()).toMatchObject({
    request_id: "over",
    error: { code: "rate_limited", reason: "busy" },
  });
  send("pty:b", "b");
  await ops.has(2);
  ops.release("b");
  expect(answered(await peer.next())).toEqual(["b", true]);
  ops.release("a0");
  expect(answered(await peer.next())).toEqual(["a0", true]);
  send("pty:a", "later");
  await ops.has(3);
  expect((await peer.request("instance.ping")).ok).toBe(true);
});

test("a connection with as many requests in work as it may have is still heard", async () => {
  const { ops, server, peer, send } = await held();
  for (let index = 0; index < MAX_TERMINAL_CALLS; index += 1) send(`pty:${index}`, `${index}`);
  send("pty:one-more", "over");
  expect(answered(await peer.next())).toEqual(["over", "busy"]);
  expect((await peer.request("instance.ping")).ok).toBe(true);
  await ops.has(MAX_TERMINAL_CALLS);
  const other = await server.unix();
  await greet(other);
  other.line(JSON.stringify({ op: "terminal.capture", request_id: "other", id: "pty:0" }));
  await ops.has(MAX_TERMINAL_CALLS + 1);
  ops.release("other");
  expect(answered(await other.next())).toEqual(["other", true]);
});

test("no more text waits on one connection than the limit", async () => {
  const { peer, send } = await held();
  const text = "x".repeat(MAX_WAITING_TEXT / 5);
  for (const id of ["1", "2", "3", "4", "5"]) send("pty:a", id, text);
  send("pty:b", "over", "x".repeat(10));
  expect(answered(await peer.next())).toEqual(["over", "busy"]);
});

test("where nothing acts on terminals the ops are not to be had", async () => {
  const server = await startServer();
  const peer = await server.unix();
  await greet(peer);
  expect(await peer.request("terminal.capture", { id: "pty:a" })).toMatchObject({
    error: { code: "capability_unavailable", reason: "unsupported" },
  });
});

test("a fault that nobody foresaw is answered without a word of it", async () => {
  const { ops, peer } = await held();
  ops.carryOut = () => Promise.reject(new Error("secret"));
  expect(await peer.request("terminal.capture", { id: "pty:a" })).toMatchObject({
    error: { code: "internal_error", msg: "the call failed inside the publisher" },
  });
});

test("a Unix peer that has said all it had to say is answered all the same, and its end is noticed", async () => {
  const { ops, server, peer, ask, send } = await held();
  if (!(peer instanceof UnixPeer)) throw new Error("this is about Unix sockets");
  send("pty:a", "1");
  ask("read", "pty:a", "2", { wait: { until: "exit", timeout_ms: 60_000 } });
  peer.socket.end();
  await ops.has(1);
  ops.release("1");
  expect(answered(await peer.next())).toEqual(["1", true]);
  await ops.has(2);
  const [, signal] = ops.signals;
  const told = new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve());
  });
  peer.end();
  await peer.closed;
  server.clock.advance(1_000);
  await told;
});
