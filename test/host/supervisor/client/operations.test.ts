import { describe, expect, test } from "vitest";
import {
  connectSupervisor,
  type SupervisorClient,
  SupervisorError,
  type TerminalOperation,
} from "../../../../src/host/supervisor/index.ts";
import { until } from "../../process/support.ts";
import { requestId, serveSupervisor } from "../served-supervisor.ts";
import { answerOf, FACTS, type Peer, ScriptedHost } from "./peer.ts";

/** A host in this process, and a connection to it. */
async function connected() {
  const served = await serveSupervisor();
  const client = await connectSupervisor({ path: served.path });
  const start = (command: string) =>
    client.operate({
      action: "start",
      backend: "native",
      workspace_root: served.workspace,
      cwd: served.workspace,
      initial_monitors: [],
      command,
      shell: "/bin/bash",
      arguments: ["--norc", "-c", command],
      rows: 24,
      columns: 80,
    });
  return { path: served.path, client, start };
}

/** A host that the test plays, and a connection that it has greeted. */
async function scripted(end?: (error: SupervisorError) => void) {
  const host = await ScriptedHost.listen();
  const options = end === undefined ? {} : { end };
  const connecting = connectSupervisor({ path: host.path, ...options });
  const peer = await (await host.accept()).greet();
  return { host, peer, client: await connecting };
}

const LIST = { action: "list" } as const satisfies TerminalOperation;
const listOf = (sessions: readonly object[]) => answerOf({ success: { list: { sessions } } });

const untilExit = ({ session_id }: { readonly session_id: string }) =>
  ({
    action: "wait",
    session_id,
    return_when: { kind: "exit" },
    wait_ceiling_ms: 600_000,
  }) as const;

/** Resolves once an operation of that id is under way in the host, or is not. */
async function underWay(client: SupervisorClient, requestId: string, isSo: boolean) {
  await until(async () => {
    const refusal = await client
      .operate(LIST, { requestId })
      .catch((error: Error) => error.message);
    return (typeof refusal === "string" && refusal.includes("under way")) === isSo || undefined;
  });
}

describe("operations", () => {
  test("answer what they came to, each in its own shape", async () => {
    const { client, start } = await connected();
    const { session, outcome } = await start("cat");
    expect(outcome).toEqual({ started: {} });
    const { session_id } = session;
    const write = { kind: "text", text: "hello\r" } as const;
    const written = await client.operate({ action: "write", session_id, write });
    expect(written.accepted_bytes).toBe(6);
    const waited = await client.operate({
      action: "wait",
      session_id,
      return_when: { kind: "match", pattern: "hello\nhello" },
      wait_ceiling_ms: 60_000,
    });
    expect(waited.outcome).toEqual({ condition_met: {} });
    const cursor = { cursor_segment: 1, cursor_offset: 0 };
    const read = await client.operate({ action: "read", session_id, ...cursor });
    expect(read.raw_output).toContain("hello\r\nhello");
    const screen = await client.operate({ action: "screen", session_id });
    expect(screen.cells).toHaveLength(screen.dimensions.rows);
    const { sessions } = await client.operate(LIST);
    expect(sessions.map((one) => one.session_id)).toEqual([session_id]);
    const closed = await client.operate({ action: "close", session_id, close_policy: "force" });
    expect(closed.session.lifecycle).toBe("closed");
    client.close();
  });

  test("that are refused reject with the code, the words and whether to try again", async () => {
    const { client } = await connected();
    const session_id = "terminal-n-none";
    const gone = client.operate({ action: "screen", session_id });
    await expect(gone).rejects.toMatchObject({
      name: "SupervisorError",
      reason: "refused",
      code: "session_not_found",
      sessionId: session_id,
      retryable: false,
      message: expect.stringContaining("no session"),
    });
    const wrong = client.operate({ action: "inspect", session_id, max_events: 0 });
    await expect(wrong).rejects.toMatchObject({
      reason: "refused",
      code: "terminal_operation_failed",
      message: expect.stringContaining("max_events"),
    });
    const output = await client.request({ action: "screen", session_id });
    expect(output).toMatchObject({ is_error: true, structured: { failure: { session_id } } });
    client.close();
  });

  test("say that they may be done later where the host says so", async () => {
    const { client, peer } = await scripted();
    const listing = client.operate(LIST);
    await peer.next();
    const failure = {
      action: "list",
      code: "capacity_exceeded",
      session_id: null,
      retryable: true,
      message: "full",
    };
    peer.say(answerOf({ failure }, true));
    await expect(listing).rejects.toMatchObject({ code: "capacity_exceeded", retryable: true });
  });

  test("of a connection are under way many at once, and each gets its own answer", async () => {
    const { client, start } = await connected();
    const { session } = await start("seq -w 100 299; read");
    const { session_id } = session;
    const return_when = { kind: "match", pattern: "299" } as const;
    await client.operate({ action: "wait", session_id, return_when, wait_ceiling_ms: 60_000 });
    const reads = Array.from({ length: 200 }, (_, line) =>
      client.operate({
        action: "read",
        session_id,
        cursor_segment: 1,
        cursor_offset: 5 * line,
      }),
    );
    const lines = (await Promise.all(reads)).map(({ raw_output }) => raw_output.slice(0, 3));
    expect(lines).toEqual(Array.from({ length: 200 }, (_, line) => String(100 + line)));
    client.close();
  });

  test("that wait hold back no other", async () => {
    const { client, start } = await connected();
    const { session } = await start("cat");
    const { session_id } = session;
    const waits = [1, 2, 3].map(() => client.operate(untilExit(session)));
    expect((await client.operate(LIST)).sessions).toHaveLength(1);
    await client.operate({ action: "signal", session_id, signal: "kill" });
    for (const { outcome } of await Promise.all(waits)) {
      expect(outcome).toEqual({ signal: "SIGKILL" });
    }
    client.close();
  });

  test("that do not fit a frame are not sent, and the connection goes on", async () => {
    const { client } = await connected();
    const write = { kind: "text", text: "x".repeat(2 ** 20) } as const;
    const writing = client.operate({ action: "write", session_id: "terminal-n-1", write });
    await expect(writing).rejects.toMatchObject({ name: "ProtocolError", kind: "frame_size" });
    expect((await client.operate(LIST)).sessions).toEqual([]);
    client.close();
  });

  test("beyond those that a host takes at once wait for their turn", async () => {
    const { client, peer } = await scripted();
    const listings = Array.from({ length: 40 }, () => client.operate(LIST));
    await until(() => (peer.waiting === 32 ? true : undefined));
    const pinged = client.ping();
    await until(() => (peer.waiting === 33 ? true : undefined));
    peer.say({ kind: "pong" });
    await pinged;
    for (let count = 0; count < 41; count += 1) {
      if ((await peer.next()).kind === "terminal") peer.say(listOf([]));
    }
    expect(await Promise.all(listings)).toHaveLength(40);
  });
});

describe("an operation that is given up", () => {
  test("rejects with the reason at once, and its wait is cancelled in the host", async () => {
    const { client, start } = await connected();
    const { session } = await start("cat");
    const giveUp = new AbortController();
    const id = requestId();
    const waiting = client.operate(untilExit(session), { signal: giveUp.signal, requestId: id });
    waiting.catch(() => {});
    await underWay(client, id, true);
    giveUp.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await underWay(client, id, false);
    client.close();
  });

  test("says so to the host by its id, and its answer is nobody else's", async () => {
    const { client, peer } = await scripted();
    const giveUp = new AbortController();
    const first = client.operate(LIST, { signal: giveUp.signal });
    const { request_id } = await peer.next();
    giveUp.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await peer.next()).toEqual({ kind: "cancel", request_id });
    const second = client.operate(LIST);
    await peer.next();
    peer.say({ kind: "cancelled", accepted: true }, listOf([]), listOf([FACTS]));
    expect((await second).sessions).toHaveLength(1);
  });

  test("before it was sent never is", async () => {
    const { client, peer } = await scripted();
    const others = Array.from({ length: 32 }, () => client.operate(LIST));
    const giveUp = new AbortController();
    const last = client.operate({ action: "screen", session_id: "s" }, { signal: giveUp.signal });
    giveUp.abort(new Error("enough"));
    await expect(last).rejects.toThrow("enough");
    for (let count = 0; count < 32; count += 1) {
      expect((await peer.next()).operation).toEqual(LIST);
      peer.say(listOf([]));
    }
    await Promise.all(others);
    const pinged = client.ping();
    expect(await peer.next()).toEqual({ kind: "ping" });
    peer.say({ kind: "pong" });
    await pinged;
  });

  test("by another's cancel ends with that outcome", async () => {
    const { client, start } = await connected();
    const { session } = await start("cat");
    const id = requestId();
    const waiting = client.operate(untilExit(session), { requestId: id });
    await until(async () => ((await client.cancel(id)) ? true : undefined));
    expect((await waiting).outcome).toEqual({ cancelled: {} });
    client.close();
  });
});

describe("the end of a connection", () => {
  /** Operations that a peer has got and does not answer. */
  async function sent(peer: Peer, begin: () => Promise<unknown>) {
    const all = [1, 2, 3].map(begin);
    for (const one of all) one.catch(() => {});
    await until(() => (peer.waiting === 3 ? true : undefined));
    return all;
  }

  test("rejects what is under way, is told once, and nothing is asked after it", async () => {
    const told: string[] = [];
    const { client, peer } = await scripted((error) => told.push(error.reason));
    const all = await sent(peer, () => client.operate(LIST));
    peer.socket.destroy();
    for (const one of all) await expect(one).rejects.toMatchObject({ reason: "lost" });
    await expect(client.ping()).rejects.toMatchObject({ reason: "lost" });
    client.close();
    expect(told).toEqual(["lost"]);
  });

  test.each([
    ["a frame that is none", Buffer.of(0, 0x20, 0, 0)],
    ["what is no answer", Buffer.from("\0\0\0\x02[]")],
  ])("comes with %s, and others go on", async (_, bytes) => {
    const { host, client, peer } = await scripted();
    const connecting = connectSupervisor({ path: host.path });
    const otherPeer = await (await host.accept()).greet();
    const other = await connecting;
    const all = await sent(peer, () => client.operate(LIST));
    peer.socket.write(bytes);
    for (const one of all) await expect(one).rejects.toMatchObject({ reason: "protocol" });
    await peer.ended;
    const pinged = other.ping();
    otherPeer.say({ kind: "pong" });
    await pinged;
  });

  test("comes with an answer that nobody asked for, or is of another operation's kind", async () => {
    const { client, peer } = await scripted();
    const pinged = client.ping();
    await peer.next();
    peer.say(listOf([]));
    await expect(pinged).rejects.toMatchObject({ reason: "protocol" });
    const another = await scripted();
    const listing = another.client.operate(LIST);
    await another.peer.next();
    const result = { session: FACTS, monitor_id: "monitor-1" };
    another.peer.say(answerOf({ success: { monitor: result } }));
    await expect(listing).rejects.toThrow("answered list with a result of monitor");
  });

  test("by the client's own hand rejects what is under way, waits too, and cancels those", async () => {
    const { client, start, path } = await connected();
    const { session } = await start("cat");
    const id = requestId();
    const waiting = client.operate(untilExit(session), { requestId: id });
    waiting.catch(() => {});
    const other = await connectSupervisor({ path });
    await underWay(other, id, true);
    client.close();
    await expect(waiting).rejects.toMatchObject({ reason: "closed" });
    await underWay(other, id, false);
    await expect(client.operate(LIST)).rejects.toMatchObject({ reason: "closed" });
    other.close();
  });
});

test("a host that does not read is not written to without end", async () => {
  const { client, peer } = await scripted();
  peer.socket.pause();
  const write = { kind: "text", text: "x".repeat(2 ** 20 - 1_000) } as const;
  const all = Array.from({ length: 20 }, () =>
    client.operate({ action: "write", session_id: "s", write }),
  );
  const ended = all.map((one) => one.catch((error: unknown) => error));
  const first = await Promise.race(ended);
  expect(first).toBeInstanceOf(SupervisorError);
  expect(first).toMatchObject({ reason: "backlog", retryable: true });
  client.close();
  await Promise.all(ended);
});
