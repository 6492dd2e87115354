import { expect, test } from "vitest";
import { onEachBackend } from "./backends.ts";
import { codeOf, EXIT, match, SupervisedSession } from "./supervised-session.ts";

const MONITOR = {
  condition: { kind: "output_contains", pattern: "never" },
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
};
const add = (session: SupervisedSession) =>
  session.do("monitor", { operation: { kind: "add", definition: MONITOR } });
const change = (session: SupervisedSession, kind: string, monitor_id = "monitor-1") =>
  session.do("monitor", { operation: { kind, monitor_id } });
const inspect = async (session: SupervisedSession, fields: object = {}) =>
  (await session.do("inspect", { max_events: 256, ...fields })).success.inspect;

interface Event {
  readonly event_id: number;
}
const idsOf = (events: readonly Event[]) => events.map(({ event_id }) => event_id);

onEachBackend(() => {
  test("the 33rd monitor of a session is refused with capacity_exceeded until one is removed, and ids are never given out again", async () => {
    const session = await SupervisedSession.start("sleep 600");
    for (let number = 1; number <= 32; number += 1) {
      expect((await add(session)).success.monitor.monitor_id).toBe(`monitor-${number}`);
    }
    expect((await add(session)).failure).toMatchObject({
      action: "monitor",
      code: "capacity_exceeded",
      session_id: session.id,
      retryable: true,
    });
    await change(session, "remove", "monitor-7");
    expect((await add(session)).success.monitor.monitor_id).toBe("monitor-33");
    expect((await inspect(session)).monitors).toHaveLength(32);
  });

  test.each(["pause", "resume", "remove"])(
    "a %s of a monitor that is not there is monitor_unavailable",
    async (kind) => {
      const session = await SupervisedSession.start("sleep 600");
      expect((await change(session, kind, "monitor-1")).failure).toMatchObject({
        code: "monitor_unavailable",
        retryable: false,
      });
      const operation = { kind: "update", monitor_id: "monitor-1", definition: MONITOR };
      expect(codeOf(await session.do("monitor", { operation }))).toBe("monitor_unavailable");
    },
  );

  test("the last 1 024 events are kept, the gap is the last that had to go, and pages go through all of them once", async () => {
    const session = await SupervisedSession.start("sleep 600");
    await add(session);
    expect((await inspect(session)).event_gap_through).toBe(null);
    for (let count = 0; count < 1_024; count += 1) {
      await change(session, count % 2 === 0 ? "pause" : "resume");
    }
    expect(await inspect(session, { max_events: 1 })).toMatchObject({
      event_gap_through: null,
      next_event_id: 1_025,
      events: [{ event_id: 1 }],
    });
    for (let count = 0; count < 3; count += 1) {
      await change(session, count % 2 === 0 ? "pause" : "resume");
    }
    const seen: number[] = [];
    for (;;) {
      const page = await inspect(session, { after_event_id: seen.at(-1) ?? 0 });
      expect(page).toMatchObject({ event_gap_through: 3, next_event_id: 1_028 });
      expect(page.events.length).toBeLessThanOrEqual(256);
      if (page.events.length === 0) break;
      seen.push(...idsOf(page.events));
    }
    expect(seen).toEqual(Array.from({ length: 1_024 }, (_, index) => index + 4));
  }, 30_000);

  test("an acknowledgement forgets events before the page is taken, moves where the next page begins, and is of 1 to the last", async () => {
    const session = await SupervisedSession.start("sleep 600");
    await add(session);
    for (const kind of ["pause", "resume", "pause", "resume"]) await change(session, kind);
    expect(idsOf((await inspect(session, { acknowledge_event_id: 2 })).events)).toEqual([3, 4]);
    expect(idsOf((await inspect(session)).events)).toEqual([3, 4]);
    expect(idsOf((await inspect(session, { after_event_id: 0 })).events)).toEqual([3, 4]);
    for (const acknowledge_event_id of [0, 5]) {
      const refused = await session.do("inspect", { max_events: 1, acknowledge_event_id });
      expect(codeOf(refused)).toBe("terminal_operation_failed");
    }
    // One that was acknowledged already changes nothing.
    expect(idsOf((await inspect(session, { acknowledge_event_id: 1 })).events)).toEqual([3, 4]);
    expect((await inspect(session, { acknowledge_event_id: 4 })).events).toEqual([]);
  });

  test("a silent success of pause and resume is no event, and an update and a removal are one each", async () => {
    const session = await SupervisedSession.start("sleep 600");
    await add(session);
    for (const kind of ["resume", "pause", "pause", "resume"]) await change(session, kind);
    const operation = { kind: "update", monitor_id: "monitor-1", definition: MONITOR };
    await session.do("monitor", { operation });
    await change(session, "remove");
    const { events } = await inspect(session);
    expect(events.map(({ reason }: { reason: string }) => reason)).toEqual([
      "paused",
      "resumed",
      "updated",
      "removed",
    ]);
  });

  test("an event says which monitor it was, why, how the session stood, where its output ended and when", async () => {
    const before = Date.now();
    const monitor = { ...MONITOR, condition: { kind: "output_contains", pattern: "seen" } };
    const more = { initial_monitors: [monitor], ...EXIT };
    const session = await SupervisedSession.start("printf seen", more);
    const { events } = await inspect(session);
    expect(events).toEqual([
      {
        event_id: 1,
        monitor_id: "monitor-1",
        reason: "matched",
        lifecycle: expect.stringMatching(/^(running|exited)$/),
        cursor: { segment: 1, offset: 4 },
        created_at_ms: expect.any(Number),
      },
    ]);
    expect(events[0].created_at_ms).toBeGreaterThanOrEqual(before);
    expect(events[0].created_at_ms).toBeLessThanOrEqual(Date.now());
  });

  test("events can be inspected after the close of their session as before, and its monitors are changed no more", async () => {
    const session = await SupervisedSession.start("echo ready; sleep 600", match("ready"));
    await add(session);
    await change(session, "pause");
    await session.do("close", { close_policy: "force" });
    const page = await inspect(session);
    expect(idsOf(page.events)).toEqual([1]);
    expect(page.monitors).toEqual([]);
    expect(codeOf(await add(session))).toBe("invalid_lifecycle");
    expect(codeOf(await change(session, "resume"))).toBe("invalid_lifecycle");
  });
});
