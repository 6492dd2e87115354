import { expect, test } from "vitest";
import { currentBackend, onEachBackend } from "./backends.ts";
import { EXIT, match, SupervisedSession } from "./supervised-session.ts";

const at = (offset: number) => ({ segment: 1, offset });
const facts = async (session: SupervisedSession) =>
  (await session.do("inspect", { max_events: 1 })).success.inspect.session;

/** Those of `actions` can be done, and no others. */
const only = (...actions: string[]) =>
  Object.fromEntries(
    [
      "read",
      "screen",
      "write",
      "wait",
      "monitor",
      "inspect",
      "list",
      "resize",
      "signal",
      "close",
    ].map((action) => [action, actions.includes(action)]),
  );

onEachBackend(() => {
  test("next_actions are all while it runs, those that need no program once it has ended, and list once it is closed", async () => {
    const session = await SupervisedSession.start("read line");
    const ended = ["read", "screen", "wait", "monitor", "inspect", "list", "close"];
    expect((await facts(session)).next_actions).toEqual(
      only(...ended, "write", "resize", "signal"),
    );
    await session.do("write", { write: { kind: "keys", keys: ["enter"] } });
    await session.wait(EXIT);
    expect((await facts(session)).next_actions).toEqual(only(...ended));
    await session.do("close", { close_policy: "force" });
    expect((await facts(session)).next_actions).toEqual(only("list"));
  });

  test("lifecycle is running, exited and closed in turn, and attention is nobody's", async () => {
    const session = await SupervisedSession.start("read line");
    const seen = [await facts(session)];
    await session.do("signal", { signal: "kill" });
    await session.wait(EXIT);
    seen.push(await facts(session));
    await session.do("close", { close_policy: "force" });
    seen.push(await facts(session));
    expect(seen.map(({ lifecycle }) => lifecycle)).toEqual(["running", "exited", "closed"]);
    for (const { attention, backend, persistence, screen_recovery } of seen) {
      expect(attention).toEqual({ attention: "background", write_lease: "none" });
      expect([backend, persistence]).toEqual(
        currentBackend() === "native" ? ["native", "process"] : ["tmux", "durable"],
      );
      expect(screen_recovery).toEqual({ unavailable: "missing" });
    }
  });

  test("unread_range goes from the end of the last read to the end of the output, also where an earlier page is read again", async () => {
    const session = await SupervisedSession.start("printf 0123456789; sleep 600", match("9"));
    expect(await facts(session)).toMatchObject({
      output_cursor: at(10),
      unread_range: { start: at(0), end: at(10) },
      raw_gap: null,
    });
    const read = (cursor_offset: number) =>
      session.do("read", { cursor_segment: 1, cursor_offset });
    expect((await read(4)).success.read).toMatchObject({
      raw_output: "456789",
      raw_range: { start: at(4), end: at(10) },
      session: { unread_range: null },
    });
    expect((await read(10)).success.read).toMatchObject({ raw_output: "", raw_range: null });
  });

  test("the session of a read says what is unread behind its page, and that of a long page where the next one begins", async () => {
    const command = "stty -opost; head -c 70000 /dev/zero | tr '\\0' x; printf done; sleep 600";
    const session = await SupervisedSession.start(command, match("done"));
    const { read } = (await session.do("read", { cursor_segment: 1, cursor_offset: 0 })).success;
    expect(read.session.unread_range).toEqual({ start: at(65_536), end: at(70_004) });
    expect(read.raw_range).toEqual({ start: at(0), end: at(65_536) });
  });

  test("raw_gap says what of the unread output is no longer kept, until somebody reads on from there", async () => {
    const flood =
      "stty -opost; head -c 9000000 /dev/zero | tr '\\0' x; sleep 0.1; printf done; sleep 600";
    const session = await SupervisedSession.start(flood, match("done"));
    const start = 9_000_004 - 8 * 1024 * 1024;
    expect((await facts(session)).raw_gap).toEqual({
      missing_from: at(0),
      available_from: at(start),
    });
    const { read } = (await session.do("read", { cursor_segment: 1, cursor_offset: start }))
      .success;
    expect(read.session.raw_gap).toBe(null);
  }, 30_000);

  test("active_monitor_count is of those that are neither paused nor degraded, matched ones among them", async () => {
    const monitor = (pattern: string) => ({
      condition: { kind: "output_contains", pattern },
      notify: { kind: "on_match" },
      lifetime: { kind: "until_session_end" },
    });
    const more = { initial_monitors: [monitor("seen"), monitor("never")] };
    const session = await SupervisedSession.start("printf seen; sleep 600", {
      ...more,
      ...match("seen"),
    });
    expect((await facts(session)).active_monitor_count).toBe(2);
    const change = (kind: string, monitor_id: string) =>
      session.do("monitor", { operation: { kind, monitor_id } });
    expect((await change("pause", "monitor-2")).success.monitor.session.active_monitor_count).toBe(
      1,
    );
    expect((await change("pause", "monitor-1")).success.monitor.session.active_monitor_count).toBe(
      0,
    );
    expect((await change("resume", "monitor-1")).success.monitor.session.active_monitor_count).toBe(
      1,
    );
  });

  test("list tells of those that have ended and not of those that are closed", async () => {
    const session = await SupervisedSession.start("true", EXIT);
    const other = session.served.connect();
    const second = (await other.operate(session.served.start("sleep 600"))).success.start.session;
    const list = async () =>
      (await other.operate({ action: "list" })).success.list.sessions.map(
        ({ session_id, lifecycle }: { session_id: string; lifecycle: string }) => [
          session_id,
          lifecycle,
        ],
      );
    expect(await list()).toEqual([
      [session.id, "exited"],
      [second.session_id, "running"],
    ]);
    await session.do("close", { close_policy: "force" });
    expect(await list()).toEqual([[second.session_id, "running"]]);
  });
});
