import { expect, test } from "vitest";
import { outcomeOf } from "../../../src/host/supervisor/outcome.ts";
import { onEachBackend } from "./backends.ts";
import { requestId } from "./served-supervisor.ts";
import { codeOf, EXIT, match, SupervisedSession } from "./supervised-session.ts";

const CEILING = { wait_ceiling_ms: 60_000 };

onEachBackend(() => {
  test.each<[string, object]>([
    ["a ceiling of 0", { ...EXIT, wait_ceiling_ms: 0 }],
    ["a ceiling of 0 for started", { return_when: { kind: "started" }, wait_ceiling_ms: 0 }],
    ["quiet of 0 ms", { return_when: { kind: "quiet", duration_ms: 0 }, ...CEILING }],
    ["an empty pattern", match("")],
    ["a pattern of 4 097 bytes", match("x".repeat(4_097))],
    ["a pattern of 4 097 bytes in fewer characters", match(`${"é".repeat(2_048)}x`)],
  ])("a wait with %s is refused as terminal_operation_failed", async (_, wait) => {
    const session = await SupervisedSession.start("sleep 600");
    expect(codeOf(await session.do("wait", wait))).toBe("terminal_operation_failed");
  });

  test("that it was cancelled goes before the end, the end before the condition, the condition before the ceiling", async () => {
    const session = await SupervisedSession.start("read line; echo wanted; read line", {});
    const known = session.served.supervisor.sessions.get(session.id);
    const aborted = new AbortController();
    aborted.abort();
    const look = (signal: AbortSignal, pattern: string) =>
      outcomeOf(
        known,
        { condition: { kind: "match", pattern }, ceilingMs: 1, from: 0, signal },
        session.served.host.waiting,
      );
    const { signal } = new AbortController();
    expect(await look(aborted.signal, "wanted")).toEqual({ cancelled: {} });
    expect(await look(signal, "wanted")).toEqual({ safety_ceiling: {} });
    await session.do("write", { write: { kind: "keys", keys: ["enter"] } });
    expect(await session.wait(match("wanted"))).toEqual({ condition_met: {} });
    expect(await look(signal, "wanted")).toEqual({ condition_met: {} });
    await session.do("write", { write: { kind: "keys", keys: ["enter"] } });
    await session.wait(EXIT);
    expect(await look(signal, "wanted")).toEqual({ exited: 0 });
    expect(await look(aborted.signal, "wanted")).toEqual({ cancelled: {} });
  });

  test("a cancelled wait is a success with the outcome cancelled, and the session goes on", async () => {
    const session = await SupervisedSession.start("sleep 600");
    const request_id = session.client.begin({ action: "wait", session_id: session.id, ...EXIT });
    await session.client.ask({ kind: "ping" });
    const other = session.served.connect();
    expect(await other.ask({ kind: "cancel", request_id })).toEqual({
      kind: "cancelled",
      accepted: true,
    });
    const { output } = await session.client.next();
    expect(output.is_error).toBe(false);
    expect(output.structured.success.wait).toMatchObject({
      outcome: { cancelled: {} },
      session: { lifecycle: "running" },
    });
    expect(await other.ask({ kind: "cancel", request_id })).toEqual({
      kind: "cancelled",
      accepted: false,
    });
  });

  test.each([
    ["31 digits", "0".repeat(31)],
    ["33 digits", "0".repeat(33)],
    ["no digits", ""],
    ["a letter that is no digit", `${"0".repeat(31)}g`],
    ["a megabyte", "0".repeat(900_000)],
    ["a space behind it", `${"0".repeat(31)} `],
    ["a line's end behind it", `${"0".repeat(32)}\n`],
  ])("a request_id of %s is refused in words, and starts nothing", async (_, id) => {
    const session = await SupervisedSession.start("sleep 600");
    session.client.begin(session.served.start("sleep 600"), id);
    expect(await session.client.next()).toMatchObject({
      kind: "failure",
      code: "terminal_operation_failed",
      message: expect.stringContaining("32 hexadecimal digits"),
    });
    expect(session.served.host.terminals.all).toHaveLength(1);
  });

  test("a request_id that is under way is refused on the same connection and on others, in either case, and may be had again after", async () => {
    const session = await SupervisedSession.start("sleep 600");
    const id = `abcdef${requestId().slice(6)}`;
    const wait = { action: "wait", session_id: session.id, ...EXIT };
    session.client.begin(wait, id);
    await session.client.ask({ kind: "ping" });
    session.client.begin({ action: "list" }, id);
    const other = session.served.connect();
    for (const same of [id, id.toUpperCase()]) {
      other.begin({ action: "list" }, same);
      expect(await other.next()).toMatchObject({
        code: "terminal_operation_failed",
        message: expect.stringContaining("under way"),
      });
    }
    // The one that was refused has not taken the first one's place.
    const cancel = { kind: "cancel", request_id: id.toUpperCase() };
    expect(await other.ask(cancel)).toMatchObject({ accepted: true });
    expect((await session.client.result()).success.wait.outcome).toEqual({ cancelled: {} });
    expect(await session.client.next()).toMatchObject({ code: "terminal_operation_failed" });
    session.client.begin({ action: "list" }, id);
    expect((await session.client.result()).success.list.sessions).toHaveLength(1);
  });

  test("a client that goes ends its waits and no session", async () => {
    const session = await SupervisedSession.start("sleep 600");
    const request_id = session.client.begin({ action: "wait", session_id: session.id, ...EXIT });
    await session.client.ask({ kind: "ping" });
    session.client.socket.destroy();
    await session.client.closed;
    const other = session.served.connect();
    for (;;) if (!(await other.ask({ kind: "cancel", request_id })).accepted) break;
    expect((await other.operate({ action: "list" })).success.list.sessions).toMatchObject([
      { session_id: session.id, lifecycle: "running" },
    ]);
  });

  test("two hosts have two instance_ids", async () => {
    const hello = { kind: "hello", hello: { minimum: 6, current: 6, capabilities: 15 } };
    const ids = [];
    for (const session of [
      await SupervisedSession.start("true"),
      await SupervisedSession.start("true"),
    ]) {
      ids.push((await session.client.ask(hello)).instance_id);
    }
    expect(new Set(ids).size).toBe(2);
  });
});
