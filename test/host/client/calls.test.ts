import { describe, expect, test } from "vitest";
import { connectHost, type HostResult, type SessionCalls } from "../../../src/host/index.ts";
import { type Peer, scriptedHost, terminal } from "./peer.ts";

async function connected(): Promise<{ session: SessionCalls; peer: Peer; close(): void }> {
  const host = await scriptedHost();
  const connection = await connectHost({ path: host.path });
  return {
    session: connection.session("work"),
    peer: await host.accept(),
    close: () => connection.close(),
  };
}

interface Sent {
  readonly type: string;
  readonly id: number;
  readonly call: Record<string, unknown>;
}

const sent = async (peer: Peer) => (await peer.next()) as Sent;

const READ = {
  terminal: terminal(),
  from: 0,
  to: 5,
  text: "hello",
  skipped: 0,
  truncated: 0,
  waited: "match",
} as const;

const own = (op: string) => ({ op, sessionId: "work" });
const keyed = (op: string) => ({ ...own(op), key: expect.stringMatching(/^[0-9a-f-]{36}$/) });

describe("a call", () => {
  const opened = { cwd: "/", env: null, cols: 80, rows: 24 } as const;
  const sending = { target: "2", keys: ["ls", "Enter"], literal: false } as const;

  test.each<[string, (session: SessionCalls) => Promise<unknown>, object, HostResult, unknown]>([
    [
      "list",
      (session) => session.list(),
      own("list"),
      { kind: "list", windows: [{ terminal: terminal(), foreground: "vim" }] },
      [{ terminal: terminal(), foreground: "vim" }],
    ],
    [
      "open",
      (session) => session.open({ ...opened, name: "build", exec: ["make"] }),
      { ...keyed("open"), ...opened, name: "build", exec: ["make"] },
      { kind: "terminal", terminal: terminal() },
      terminal(),
    ],
    [
      "send",
      (session) => session.send({ ...sending, keys: [...sending.keys], submit: true }),
      { ...keyed("send"), ...sending, submit: true },
      { kind: "done" },
      undefined,
    ],
    [
      "send with the key of an earlier try",
      (session) => session.send({ ...sending, keys: [], key: "k" }),
      { ...own("send"), ...sending, keys: [], key: "k" },
      { kind: "terminal", terminal: terminal() },
      undefined,
    ],
    [
      "cursor",
      (session) => session.cursor({ target: "2" }),
      { ...own("cursor"), target: "2" },
      { kind: "cursor", terminal: terminal(), offset: 7 },
      { kind: "cursor", terminal: terminal(), offset: 7 },
    ],
    [
      "read",
      (session) =>
        session.read({
          target: "2",
          from: 3,
          wait: { until: "match", pattern: "$", timeoutMs: 9 },
        }),
      {
        ...own("read"),
        target: "2",
        from: 3,
        wait: { until: "match", pattern: "$", timeoutMs: 9 },
      },
      { kind: "read", ...READ },
      READ,
    ],
    [
      "capture",
      (session) => session.capture({ target: "2", scrollback: 100, escapes: true }),
      { ...own("capture"), target: "2", scrollback: 100, escapes: true },
      { kind: "capture", terminal: terminal(), text: "$ " },
      { kind: "capture", terminal: terminal(), text: "$ " },
    ],
    [
      "close",
      (session) => session.close({ target: "2" }),
      { ...keyed("close"), target: "2" },
      { kind: "closed", terminalId: "t1" },
      "t1",
    ],
    [
      "closeSession",
      (session) => session.closeSession(),
      own("closeSession"),
      { kind: "done" },
      undefined,
    ],
    [
      "rename",
      (session) => session.rename({ target: "2", name: "x" }),
      { ...own("rename"), target: "2", name: "x" },
      { kind: "terminal", terminal: terminal({ name: "x" }) },
      terminal({ name: "x" }),
    ],
    [
      "signal",
      (session) => session.signal({ target: "2", signal: "SIGINT" }),
      { ...own("signal"), target: "2", signal: "SIGINT" },
      { kind: "done" },
      undefined,
    ],
    [
      "resize",
      (session) => session.resize({ target: "2", cols: 100, rows: 50 }),
      { ...own("resize"), target: "2", cols: 100, rows: 50 },
      { kind: "terminal", terminal: terminal({ cols: 100, rows: 50 }) },
      terminal({ cols: 100, rows: 50 }),
    ],
  ])("%s is sent with its fields and gives its result", async (_, make, call, result, given) => {
    const { session, peer } = await connected();
    const made = make(session);
    const request = await sent(peer);
    expect(request).toEqual({ type: "call", id: expect.any(Number), call });
    peer.say({ type: "reply", id: request.id, result });
    expect(await made).toEqual(given);
  });

  test("gets its own reply, whatever the order", async () => {
    const { session, peer } = await connected();
    const calls = ["1", "2", "3"].map((target) => session.cursor({ target }));
    const requests = [await sent(peer), await sent(peer), await sent(peer)];
    expect(new Set(requests.map(({ id }) => id)).size).toBe(3);
    for (const { id, call } of requests.reverse()) {
      const offset = Number(call["target"]);
      peer.say({ type: "reply", id, result: { kind: "cursor", terminal: terminal(), offset } });
    }
    expect((await Promise.all(calls)).map(({ offset }) => offset)).toEqual([1, 2, 3]);
  });

  test("that the host refuses rejects in the host's words", async () => {
    const { session, peer } = await connected();
    const made = session.close({ target: "9" });
    made.catch(() => {});
    const { id } = await sent(peer);
    peer.say({ type: "reply", id, error: "there is no terminal 9" });
    await expect(made).rejects.toMatchObject({
      reason: "refused",
      message: "there is no terminal 9",
    });
  });

  test("whose result is another call's rejects", async () => {
    const { session, peer } = await connected();
    const made = session.cursor({ target: "1" });
    made.catch(() => {});
    const { id } = await sent(peer);
    peer.say({ type: "reply", id, result: { kind: "done" } });
    await expect(made).rejects.toThrow("a result must be cursor, got done");
  });

  test("that is given up cancels, and its late reply is nobody's", async () => {
    const { session, peer } = await connected();
    const giveUp = new AbortController();
    const wait = { until: "exit", timeoutMs: 60_000 } as const;
    const reading = session.read({ target: "1", wait }, { signal: giveUp.signal });
    reading.catch(() => {});
    const { id } = await sent(peer);
    giveUp.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    expect(await peer.next()).toEqual({ type: "cancel", id });
    peer.say({ type: "reply", id, error: "the wait was cancelled" });
    const listing = session.list();
    const { id: another } = await sent(peer);
    peer.say({ type: "reply", id: another, result: { kind: "list", windows: [] } });
    expect(await listing).toEqual([]);
  });

  test("with a signal that has come already is not sent", async () => {
    const { session, peer } = await connected();
    const { signal } = abortedBefore();
    await expect(session.list({ signal })).rejects.toThrow("before");
    const listing = session.list();
    const { id } = await sent(peer);
    expect(id).toBe(1);
    peer.say({ type: "reply", id, result: { kind: "list", windows: [] } });
    await listing;
  });

  test("rejects when the connection is lost, or closed here", async () => {
    const lost = await connected();
    const losing = lost.session.list();
    losing.catch(() => {});
    await sent(lost.peer);
    lost.peer.socket.destroy();
    await expect(losing).rejects.toMatchObject({ reason: "lost" });

    const closed = await connected();
    const closing = closed.session.list();
    closing.catch(() => {});
    await sent(closed.peer);
    closed.close();
    await expect(closing).rejects.toMatchObject({ reason: "closed" });
    await expect(closed.session.list()).rejects.toMatchObject({ reason: "closed" });
    await closed.peer.ended();
  });
});

function abortedBefore(): AbortController {
  const controller = new AbortController();
  controller.abort(new Error("before"));
  return controller;
}
