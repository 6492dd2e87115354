import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { validationErrors } from "../../../src/contract/validation.ts";
import type { MonitorCondition } from "../../../src/host/monitors/definition.ts";
import { SavedMonitors } from "../../../src/host/monitors/saved.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { until } from "../../processes/support.ts";
import { ScriptedSession } from "./scripted-session.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = new FakeClock();
});

/** What is on disk of a session's monitors. */
function written({ monitors }: ScriptedSession): SavedMonitors {
  const saved: SavedMonitors = JSON.parse(JSON.stringify(monitors.save()));
  expect(validationErrors(SavedMonitors, saved)).toEqual([]);
  return saved;
}

/** Another process goes on with it, which is given the kept output from the beginning on. */
function goneOn(before: ScriptedSession, saved = written(before), root = "/"): ScriptedSession {
  const session = new ScriptedSession(clock, { root }, saved);
  session.write(before.ring.copy(0, before.ring.end));
  return session;
}

const CHECKS = { notify: { kind: "every_check" } } as const;

describe("monitors that another process goes on with", () => {
  test("have the ids, states and events that they had, and what was acknowledged stays so", async () => {
    const session = new ScriptedSession(clock);
    await session.add({ kind: "output_contains", pattern: "ready" });
    await session.add({ kind: "process_exit" });
    await session.add({ kind: "process_exit" });
    session.monitors.remove("monitor-3");
    session.monitors.pause("monitor-2");
    session.write("ready");
    session.monitors.inspect({ acknowledge: 1, max: 1 });
    const next = goneOn(session);
    expect(next.states).toEqual(["monitor-1 matched", "monitor-2 paused"]);
    expect(next.told).toEqual(["monitor-2 paused", "monitor-1 matched"]);
    expect(next.monitors.inspect({ max: 9 })).toEqual(session.monitors.inspect({ max: 9 }));
    expect(await next.add({ kind: "process_exit" })).toBe("monitor-4");
    next.monitors.resume("monitor-2");
    expect(next.monitors.inspect({ max: 9 }).events.at(-1)).toMatchObject({ event_id: 4 });
  });

  test.each<[string, MonitorCondition]>([
    ["a text", { kind: "output_contains", pattern: "aabaaX" }],
    ["a glob", { kind: "output_matches", pattern: "a*b*X" }],
    ["a glob with characters left open", { kind: "output_matches", pattern: "a?*?aaX" }],
    ["a long glob", { kind: "output_matches", pattern: `${"a?".repeat(2)}*aaX${"?".repeat(40)}` }],
  ])(
    "find %s of which the end came to them, wherever the other was cut off",
    async (_, condition) => {
      const whole = `aaéaabaaaabaaX${"é".repeat(40)}`;
      const bytes = Buffer.from(whole);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const session = new ScriptedSession(clock);
        await session.add(condition, CHECKS);
        session.write(bytes.subarray(0, cut));
        const next = goneOn(session);
        next.write(bytes.subarray(cut));
        expect(next.states).toEqual(["monitor-1 matched"]);
      }
    },
  );

  test("are told of no output a second time, and of none too seldom", async () => {
    const session = new ScriptedSession(clock);
    await session.add({ kind: "output_contains", pattern: "x" }, CHECKS);
    session.write("x");
    const saved = written(session);
    // It came when nobody wrote down any more what became of it.
    session.write("y");
    const next = new ScriptedSession(clock, {}, saved);
    next.write("x");
    expect(next.told).toEqual(["monitor-1 check"]);
    next.write("y");
    expect(next.told).toEqual(["monitor-1 check", "monitor-1 check"]);
  });

  test("see nothing that came before they began", async () => {
    const session = new ScriptedSession(clock);
    session.write("ready");
    await session.add({ kind: "output_contains", pattern: "ready" });
    const next = goneOn(session);
    expect(next.states).toEqual(["monitor-1 active"]);
    next.write("ready");
    expect(next.states).toEqual(["monitor-1 matched"]);
  });

  test("degrade where output is gone that they have not seen, and only those that look at it", async () => {
    const session = new ScriptedSession(clock);
    await session.add({ kind: "output_contains", pattern: "x" });
    await session.add({ kind: "process_exit" });
    session.write("12345");
    const kept = new ScriptedSession(clock, { origin: 5 }, written(session));
    kept.write("x");
    expect(kept.states).toEqual(["monitor-1 matched", "monitor-2 active"]);
    const lost = new ScriptedSession(clock, { origin: 6 }, written(session));
    lost.write("x");
    expect(lost.states).toEqual(["monitor-1 degraded", "monitor-2 active"]);
  });

  test("count silence from the last output, and tell of each silence once", async () => {
    const session = new ScriptedSession(clock);
    await session.add({ kind: "output_quiet", duration_ms: 100 }, CHECKS);
    session.write("x");
    await clock.advance(60);
    const next = goneOn(session);
    await clock.advance(39);
    expect(next.told).toEqual([]);
    await clock.advance(1);
    expect(next.told).toEqual(["monitor-1 check"]);
    const third = goneOn(next);
    await clock.advance(1_000);
    expect(third.told).toEqual(["monitor-1 check"]);
    third.write("y");
    await clock.advance(100);
    expect(third.told).toEqual(["monitor-1 check", "monitor-1 check"]);
  });

  test("keep the times at which they tell, and the end of their lifetime", async () => {
    const session = new ScriptedSession(clock);
    await session.add(
      { kind: "process_exit" },
      {
        notify: { kind: "interval", interval_ms: 100 },
        lifetime: { kind: "duration", duration_ms: 1_000 },
      },
    );
    await clock.advance(170);
    expect(session.told).toEqual(["monitor-1 interval"]);
    const saved = written(session);
    // Nobody was there when the second and the third were due.
    await clock.advance(150);
    const next = new ScriptedSession(clock, {}, saved);
    await clock.advance(79);
    expect(next.told).toEqual(["monitor-1 interval"]);
    await clock.advance(1);
    expect(next.told).toEqual(["monitor-1 interval", "monitor-1 interval"]);
    await clock.advance(600);
    expect(next.states).toEqual([]);
  });

  test("that were to end while nobody was there are told that they have expired", async () => {
    const session = new ScriptedSession(clock);
    await session.add(
      { kind: "process_exit" },
      { notify: { kind: "on_state_change" }, lifetime: { kind: "duration", duration_ms: 100 } },
    );
    const saved = written(session);
    await clock.advance(500);
    const next = new ScriptedSession(clock, {}, saved);
    await clock.advance(0);
    expect(next.told).toEqual(["monitor-1 expired"]);
  });

  test("count their checks on", async () => {
    const session = new ScriptedSession(clock);
    const notify = { kind: "every_n_checks", count: 3 } as const;
    await session.add({ kind: "output_contains", pattern: "x" }, { notify });
    for (const text of ["a", "b"]) session.write(text);
    const next = goneOn(session);
    next.write("c");
    expect(next.told).toEqual(["monitor-1 check"]);
  });

  test("compare a file with what it was when they were defined", async () => {
    const root = mkdtempSync(join(tmpdir(), "tt-saved-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "a"), "one");
    const session = new ScriptedSession(clock, { root });
    await session.add({ kind: "path_changed", path: "a" }, { check_interval_ms: 1_000 });
    const saved = written(session);
    writeFileSync(join(root, "a"), "another");
    const next = goneOn(session, saved, root);
    await clock.advance(1_000);
    await until(() => next.states[0] === "monitor-1 matched");
  });

  test("tell of an end that came while nobody was there", async () => {
    const session = new ScriptedSession(clock);
    const notify = { kind: "on_state_change" } as const;
    await session.add({ kind: "exit_code", exit_code: 7 }, { notify });
    await session.add({ kind: "output_contains", pattern: "last" }, { notify });
    session.write("first ");
    const next = goneOn(session);
    next.write("last");
    next.end({ code: 7 });
    await until(() => next.states.length === 0);
    expect(next.told).toEqual([
      "monitor-2 state_changed",
      "monitor-1 state_changed",
      "monitor-1 session_exit",
      "monitor-2 session_exit",
    ]);
  });
});

describe("what is on disk and cannot be", () => {
  const damages: [string, (saved: SavedMonitors) => void][] = [
    [
      "a matcher that holds more than its pattern",
      ({ monitors }) => void monitors[0]?.watch?.matcher?.splice(0, 1, 5),
    ],
    [
      "a pattern beyond the bounds",
      ({ monitors }) => {
        const condition = monitors[0]?.checked.definition.condition;
        if (condition?.kind === "output_contains") condition.pattern = "x".repeat(257);
      },
    ],
  ];
  test.each(damages)("is refused: %s", async (_, damage) => {
    const session = new ScriptedSession(clock);
    await session.add({ kind: "output_contains", pattern: "ready" });
    const saved = written(session);
    damage(saved);
    expect(() => new ScriptedSession(clock, {}, saved)).toThrow();
  });
});
