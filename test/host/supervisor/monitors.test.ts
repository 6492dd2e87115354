import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { type Client, serveSupervisor } from "./served-supervisor.ts";

const EXIT = { return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };
const contains = (pattern: string) => ({
  condition: { kind: "output_contains", pattern },
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
});

async function begun() {
  const served = await serveSupervisor();
  return { served, client: served.connect() };
}

const inspect = async (client: Client, session_id: string, more: object = {}) =>
  client.operate({ action: "inspect", session_id, max_events: 256, ...more });

onEachBackend(() => {
  test("initial monitors miss no output, however soon it comes", async () => {
    const { served, client } = await begun();
    const more = { initial_monitors: [contains("at once"), contains("never")], ...EXIT };
    const { session } = (await client.operate(served.start("printf 'at once'", more))).success
      .start;
    const { success } = await inspect(client, session.session_id);
    expect(success.inspect.events).toMatchObject([
      { event_id: 1, monitor_id: "monitor-1", reason: "matched", cursor: { segment: 1 } },
    ]);
    expect(success.inspect.monitors).toEqual([]);
  });

  test("a start with a monitor that is refused starts nothing", async () => {
    const { served, client } = await begun();
    symlinkSync("/", join(served.workspace, "out"));
    const monitors = {
      empty: contains(""),
      polled: { ...contains("a"), check_interval_ms: 1_000 },
      outside: {
        ...contains("a"),
        condition: { kind: "path_exists", path: "out/etc" },
        check_interval_ms: 1_000,
      },
    };
    for (const [name, monitor] of Object.entries(monitors)) {
      const result = await client.operate(
        served.start("sleep 600", { initial_monitors: [monitor] }),
      );
      expect(result.code ?? result.failure?.code, name).toMatch(
        /^(terminal_operation_failed|path_outside_workspace)$/,
      );
    }
    const many = { initial_monitors: Array(33).fill(contains("a")) };
    expect((await client.operate(served.start("sleep 600", many))).code).toBe(
      "terminal_operation_failed",
    );
    expect(served.host.terminals.all).toEqual([]);
  });

  test("monitors are added, paused, resumed, updated and removed, and each is an event", async () => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("sleep 600"))).success.start;
    const { session_id } = session;
    const change = async (operation: object) =>
      (await client.operate({ action: "monitor", session_id, operation })).success.monitor;
    expect(await change({ kind: "add", definition: contains("a") })).toMatchObject({
      monitor_id: "monitor-1",
      session: { active_monitor_count: 1 },
    });
    const of = { monitor_id: "monitor-1" };
    expect(await change({ kind: "pause", ...of })).toMatchObject({
      session: { active_monitor_count: 0 },
    });
    await change({ kind: "resume", ...of });
    expect(await change({ kind: "update", ...of, definition: contains("b") })).toMatchObject(of);
    await change({ kind: "remove", ...of });
    const { events } = (await inspect(client, session_id)).success.inspect;
    expect(events.map(({ reason }: { reason: string }) => reason)).toEqual([
      "paused",
      "resumed",
      "updated",
      "removed",
    ]);
  });

  test("reading events takes none away, acknowledging does, and only what there is", async () => {
    const { served, client } = await begun();
    const more = { initial_monitors: [contains("a"), contains("b")], ...EXIT };
    const { session } = (await client.operate(served.start("echo ab", more))).success.start;
    const { session_id } = session;
    const ids = async (more: object = {}) =>
      (await inspect(client, session_id, more)).success.inspect.events.map(
        ({ event_id }: { event_id: number }) => event_id,
      );
    expect(await ids()).toEqual([1, 2]);
    expect(await ids({ after_event_id: 1 })).toEqual([2]);
    expect(await ids({ max_events: 1 })).toEqual([1]);
    expect(await ids({ acknowledge_event_id: 1 })).toEqual([2]);
    expect(await ids({ after_event_id: 0 })).toEqual([2]);
    for (const acknowledge_event_id of [0, 3]) {
      expect(await inspect(client, session_id, { acknowledge_event_id })).toMatchObject({
        code: "terminal_operation_failed",
      });
    }
    for (const max_events of [0, 257]) {
      expect(await inspect(client, session_id, { max_events })).toMatchObject({
        code: "terminal_operation_failed",
      });
    }
  });

  test("the last events of a session that was closed can be inspected and acknowledged", async () => {
    const { served, client } = await begun();
    const monitor = { ...contains("x"), notify: { kind: "on_exit" } };
    const more = { initial_monitors: [monitor] };
    const { session } = (await client.operate(served.start("sleep 600", more))).success.start;
    const { session_id } = session;
    await client.operate({ action: "close", session_id, close_policy: "force" });
    const { inspect: last } = (await inspect(client, session_id)).success;
    expect(last.session).toMatchObject({ lifecycle: "closed", active_monitor_count: 0 });
    expect(last.events).toMatchObject([{ monitor_id: "monitor-1", reason: "session_exit" }]);
    const { events } = (await inspect(client, session_id, { acknowledge_event_id: 1 })).success
      .inspect;
    expect(events).toEqual([]);
  });
});
