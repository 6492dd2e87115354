import { beforeEach, describe, expect, test } from "vitest";
import type {
  MonitorCondition,
  MonitorDefinition,
  MonitorNotify,
} from "../../../src/host/monitors/definition.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";
import { ScriptedSession } from "./scripted-session.ts";

const CONTAINS: MonitorCondition = { kind: "output_contains", pattern: "ready" };
const EXIT: MonitorCondition = { kind: "process_exit" };
const UNTIL_MATCH: Partial<MonitorDefinition> = { lifetime: { kind: "until_match" } };

let clock: FakeClock;
let session: ScriptedSession;

beforeEach(() => {
  clock = new FakeClock();
  session = new ScriptedSession(clock);
});

describe("ids", () => {
  test("are monitor-1, monitor-2 and so on, and never given out again", async () => {
    expect(await session.add(EXIT)).toBe("monitor-1");
    expect(await session.add(EXIT)).toBe("monitor-2");
    session.monitors.remove("monitor-2");
    expect(await session.add(EXIT)).toBe("monitor-3");
  });

  test("that no monitor has are refused, with those that there are", async () => {
    await session.add(EXIT);
    for (const act of ["pause", "resume", "remove"] as const) {
      expect(() => session.monitors[act]("monitor-2")).toThrow(
        'The session has no monitor "monitor-2"; it has monitor-1',
      );
    }
    const definition = await session.check(EXIT);
    expect(() => session.monitors.update("nobody", definition)).toThrow("no monitor");
  });

  test("of one session's monitors are at most 32 at a time", async () => {
    for (let index = 0; index < 32; index += 1) await session.add(EXIT);
    await expect(session.add(EXIT)).rejects.toThrow("at most 32 monitors");
    session.monitors.remove("monitor-7");
    expect(await session.add(EXIT)).toBe("monitor-33");
  });
});

describe("output", () => {
  test("that contains a text is found over the borders of chunks", async () => {
    await session.add(CONTAINS);
    session.write("is it re");
    expect(session.told).toEqual([]);
    session.write("ady? It is");
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("that matches a glob is found over the borders of chunks", async () => {
    await session.add({ kind: "output_matches", pattern: "port *: o?en" });
    for (const part of ["po", "rt 1", "\r\nport 2", ": op"]) session.write(part);
    expect(session.told).toEqual([]);
    session.write("en");
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("from before a monitor was added is not looked at", async () => {
    session.write("rea");
    await session.add(CONTAINS);
    session.write("dy");
    expect(session.told).toEqual([]);
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("is looked at whatever a reader has read", async () => {
    await session.add(CONTAINS);
    for (let index = 0; index < 40; index += 1) session.write(Buffer.alloc(64 * 1024, "."));
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("that fell out of the ring unseen degrades those that look at output for good", async () => {
    const small = new ScriptedSession(clock, { limit: 1_024 });
    await small.add(CONTAINS);
    await small.add({ kind: "output_matches", pattern: "ready" });
    await small.add({ kind: "output_quiet", duration_ms: 50 });
    await small.add({ kind: "screen_matches", pattern: "ready" });
    await small.add(EXIT);
    small.write("a little");
    // More at once than the ring and its margin hold.
    small.write(Buffer.alloc(64 * 1024, "."));
    small.screen = "ready";
    small.write("ready");
    await clock.advance(1_000);
    expect(small.states).toEqual([
      "monitor-1 degraded",
      "monitor-2 degraded",
      "monitor-3 degraded",
      "monitor-4 degraded",
      "monitor-5 active",
    ]);
    expect(small.told).toEqual([]);
    expect(small.monitors.activeCount).toBe(1);
    small.monitors.resume("monitor-1");
    small.monitors.pause("monitor-1");
    expect(small.states[0]).toBe("monitor-1 degraded");
    small.monitors.update("monitor-1", await small.check(CONTAINS));
    small.write("ready");
    expect(small.told).toEqual(["monitor-1 updated", "monitor-1 matched"]);
  });

  test("that leaves the ring once it was seen degrades nobody", async () => {
    const small = new ScriptedSession(clock, { limit: 1_024 });
    await small.add(CONTAINS);
    for (let index = 0; index < 1_000; index += 1) small.write(Buffer.alloc(1_000, "."));
    expect(small.states).toEqual(["monitor-1 active"]);
  });
});

describe("silence", () => {
  test("is told of once no output came for so long, counted from when the monitor was added", async () => {
    session.write("x");
    await clock.advance(40);
    await session.add({ kind: "output_quiet", duration_ms: 50 });
    await clock.advance(49);
    expect(session.told).toEqual([]);
    await clock.advance(1);
    expect(session.told).toEqual(["monitor-1 matched"]);
    expect(clock.pending).toBe(0);
  });

  test("begins anew with each output, on one timer", async () => {
    await session.add({ kind: "output_quiet", duration_ms: 50 });
    for (let index = 0; index < 20; index += 1) {
      session.write("x");
      expect(clock.pending).toBe(1);
      await clock.advance(30);
    }
    expect(session.told).toEqual([]);
    await clock.advance(20);
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("of every kind is one check", async () => {
    const notify: MonitorNotify = { kind: "every_check" };
    await session.add({ kind: "output_quiet", duration_ms: 50 }, { notify });
    await clock.advance(500);
    expect(session.told).toEqual(["monitor-1 check"]);
    session.write("x");
    await clock.advance(500);
    expect(session.told).toEqual(["monitor-1 check", "monitor-1 check"]);
  });
});

describe("the screen", () => {
  const SCREEN: MonitorCondition = { kind: "screen_matches", pattern: "o?en*done" };

  test("is looked at when a monitor is added and when output came", async () => {
    session.screen = "open";
    await session.add(SCREEN);
    await settled();
    expect(session.reads).toBe(1);
    await clock.advance(60_000);
    expect(session.reads).toBe(1);
    session.screen = "open\nand done";
    session.write("x");
    await settled();
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("that shows it already is a match", async () => {
    session.screen = "open, done";
    await session.add(SCREEN);
    await settled();
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("is read once for all monitors, and at most twenty times a second", async () => {
    await session.add(SCREEN);
    await session.add({ kind: "screen_matches", pattern: "never" });
    for (let ms = 0; ms < 1_000; ms += 1) {
      session.write("x");
      await clock.advance(1);
    }
    expect(session.reads).toBeGreaterThan(15);
    expect(session.reads).toBeLessThan(24);
    await clock.advance(50);
    expect(clock.pending).toBeLessThan(2);
  });

  test("that takes long to read delays no monitor of the output", async () => {
    let release = () => {};
    session.hold = new Promise((resolve) => {
      release = resolve;
    });
    session.screen = "open, done";
    await session.add(SCREEN);
    await session.add(CONTAINS);
    session.write("ready");
    expect(session.told).toEqual(["monitor-2 matched"]);
    release();
    await settled();
    expect(session.told).toEqual(["monitor-2 matched", "monitor-1 matched"]);
  });

  test("is not read where no monitor looks at it", async () => {
    await session.add(CONTAINS);
    await session.add(SCREEN);
    session.monitors.remove("monitor-2");
    await settled();
    const { reads } = session;
    session.write("x");
    await clock.advance(100);
    expect(session.reads).toBe(reads);
  });
});

describe("the end of the program", () => {
  test("is seen by those that wait for it, by its code, and by its signal", async () => {
    const conditions: MonitorCondition[] = [
      EXIT,
      { kind: "exit_code", exit_code: 3 },
      { kind: "exit_code", exit_code: 0 },
      { kind: "signal", signal: "kill" },
    ];
    for (const condition of conditions) await session.add(condition);
    session.end({ code: 3 });
    await settled();
    expect(session.told).toEqual(["monitor-1 matched", "monitor-2 matched"]);
  });

  test.each([
    ["hangup", "SIGHUP"],
    ["interrupt", "SIGINT"],
    ["quit", "SIGQUIT"],
    ["terminate", "SIGTERM"],
    ["kill", "SIGKILL"],
  ] as const)("by the signal %s is %s", async (signal, name) => {
    await session.add({ kind: "signal", signal });
    await session.add({ kind: "signal", signal: signal === "kill" ? "quit" : "kill" });
    session.end({ signal: name });
    await settled();
    expect(session.told).toEqual(["monitor-1 matched"]);
  });

  test("comes after the last output and the last screen, and then ends all monitors", async () => {
    const notify: MonitorNotify = { kind: "on_state_change" };
    await session.add({ kind: "output_quiet", duration_ms: 1_000 }, { notify });
    await session.add(EXIT, { notify });
    await session.add(CONTAINS, { notify });
    await session.add({ kind: "screen_matches", pattern: "ready" }, { notify });
    await settled();
    session.ring.append(Buffer.from("ready"));
    session.screen = "ready";
    session.end({ code: 0 });
    await settled();
    expect(session.told).toEqual([
      "monitor-3 state_changed",
      "monitor-4 state_changed",
      "monitor-2 state_changed",
      "monitor-1 session_exit",
      "monitor-2 session_exit",
      "monitor-3 session_exit",
      "monitor-4 session_exit",
    ]);
    expect(session.monitors.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("waits for a screen that cannot be read no longer than two seconds", async () => {
    await session.add({ kind: "screen_matches", pattern: "ready" });
    await session.add(EXIT);
    await settled();
    session.hold = new Promise(() => {});
    session.end({ code: 0 });
    await clock.advance(1_999);
    expect(session.told).toEqual([]);
    await clock.advance(1);
    expect(session.told).toEqual(["monitor-2 matched"]);
    expect(session.states).toEqual([]);
  });

  test("is told at once to a monitor that is added after it", async () => {
    session.end({ code: 0 });
    await session.add(EXIT);
    await session.add(CONTAINS, { notify: { kind: "on_exit" } });
    await settled();
    expect(session.told).toEqual(["monitor-1 matched", "monitor-2 session_exit"]);
    expect(session.states).toEqual([]);
  });

  test.each(["closed", "lost"] as const)(
    "a session that is %s ends its monitors at once",
    async (lifecycle) => {
      await session.add(EXIT, { notify: { kind: "on_exit" } });
      session.become(lifecycle);
      expect(session.monitors.inspect({ max: 1 }).events).toMatchObject([
        { reason: "session_exit", lifecycle },
      ]);
      expect(session.states).toEqual([]);
      const definition = await session.check(EXIT);
      expect(() => session.monitors.add(definition)).toThrow(`The session is ${lifecycle}`);
    },
  );
});

describe("a match", () => {
  test("is told of once, and the state stays matched", async () => {
    await session.add(CONTAINS);
    session.write("ready");
    session.write("not yet");
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched"]);
    expect(session.states).toEqual(["monitor-1 matched"]);
    expect(session.monitors.activeCount).toBe(1);
  });

  test("ends a monitor that lives until then, after it was told of", async () => {
    await session.add(CONTAINS, UNTIL_MATCH);
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched"]);
    expect(session.states).toEqual([]);
    await session.add({ kind: "output_quiet", duration_ms: 10 }, UNTIL_MATCH);
    await clock.advance(10);
    expect(session.states).toEqual([]);
  });

  test("says where and when it was", async () => {
    await session.add(CONTAINS);
    await clock.advance(5);
    session.write("is ready");
    expect(session.monitors.inspect({ max: 1 }).events).toEqual([
      {
        event_id: 1,
        monitor_id: "monitor-1",
        reason: "matched",
        lifecycle: "running",
        cursor: { segment: 1, offset: 8 },
        created_at_ms: clock.now(),
      },
    ]);
  });
});

describe("notifications", () => {
  const notified = async (notify: MonitorNotify) => {
    await session.add(CONTAINS, { notify });
    for (const part of ["x", "ready", "ready", "x"]) session.write(part);
    session.end({ code: 0 });
    await settled();
    return session.told.map((event) => event.replace("monitor-1 ", ""));
  };

  test("on_match tell of the match alone", async () => {
    expect(await notified({ kind: "on_match" })).toEqual(["matched"]);
  });

  test("on_state_change tell of the match and of the end", async () => {
    expect(await notified({ kind: "on_state_change" })).toEqual(["state_changed", "session_exit"]);
  });

  test("on_exit tell of the end alone", async () => {
    expect(await notified({ kind: "on_exit" })).toEqual(["session_exit"]);
  });

  test("every_check tell of each look, whatever it found", async () => {
    expect(await notified({ kind: "every_check" })).toEqual(["check", "check", "check", "check"]);
  });

  test("every_n_checks tell of each so many looks", async () => {
    expect(await notified({ kind: "every_n_checks", count: 3 })).toEqual(["check"]);
  });

  test("by interval come as time goes by, also after the match", async () => {
    await session.add(CONTAINS, { notify: { kind: "interval", interval_ms: 20 } });
    await clock.advance(20);
    session.write("ready");
    await clock.advance(40);
    expect(session.told).toEqual(Array(3).fill("monitor-1 interval"));
  });

  test("by interval that were missed are skipped", async () => {
    const late = new LateClock();
    late.late = 75;
    const asleep = new ScriptedSession(late);
    await asleep.add(EXIT, { notify: { kind: "interval", interval_ms: 20 } });
    await late.advance(95);
    expect(asleep.told).toEqual(["monitor-1 interval"]);
    await late.advance(4);
    expect(asleep.told.length).toBe(1);
    await late.advance(1);
    expect(asleep.told.length).toBe(2);
  });
});

/** A clock of a machine that is busy. */
class LateClock extends FakeClock {
  /** By how much the next timer comes late, in milliseconds. */
  late = 0;

  override schedule(delayMs: number, task: () => void) {
    const late = this.late;
    this.late = 0;
    return super.schedule(delayMs + late, task);
  }
}

describe("lifetimes", () => {
  const DURATION: Partial<MonitorDefinition> = {
    lifetime: { kind: "duration", duration_ms: 100 },
  };

  test("that run out end a monitor without a word", async () => {
    await session.add(CONTAINS, DURATION);
    session.write("ready");
    await clock.advance(99);
    expect(session.states).toEqual(["monitor-1 matched"]);
    await clock.advance(1);
    expect(session.told).toEqual(["monitor-1 matched"]);
    expect(session.states).toEqual([]);
  });

  test("that run out are told of as expired on_state_change, also when it is paused", async () => {
    const notify: MonitorNotify = { kind: "on_state_change" };
    await session.add(CONTAINS, { ...DURATION, notify });
    session.monitors.pause("monitor-1");
    await clock.advance(100);
    expect(session.told).toEqual(["monitor-1 paused", "monitor-1 expired"]);
    expect(session.states).toEqual([]);
  });

  test("begin anew with an update", async () => {
    await session.add(CONTAINS, DURATION);
    await clock.advance(99);
    session.monitors.update("monitor-1", await session.check(CONTAINS, DURATION));
    await clock.advance(99);
    expect(session.states).toEqual(["monitor-1 active"]);
    await clock.advance(1);
    expect(session.states).toEqual([]);
  });
});

describe("operations", () => {
  test("are told of as events, and a removed monitor tells nothing more", async () => {
    await session.add(CONTAINS);
    session.monitors.pause("monitor-1");
    session.monitors.resume("monitor-1");
    session.monitors.update("monitor-1", await session.check(CONTAINS));
    session.monitors.remove("monitor-1");
    session.write("ready");
    expect(session.told).toEqual([
      "monitor-1 paused",
      "monitor-1 resumed",
      "monitor-1 updated",
      "monitor-1 removed",
    ]);
  });

  test("pausing what is paused and resuming what is not are silent successes", async () => {
    await session.add(CONTAINS);
    session.monitors.resume("monitor-1");
    session.monitors.pause("monitor-1");
    session.monitors.pause("monitor-1");
    expect(session.told).toEqual(["monitor-1 paused"]);
    expect(session.states).toEqual(["monitor-1 paused"]);
    expect(session.monitors.activeCount).toBe(0);
  });

  test("a paused monitor sees nothing, and what it saw in part before does not go on", async () => {
    await session.add(CONTAINS);
    session.write("rea");
    session.monitors.pause("monitor-1");
    session.write("ready");
    session.monitors.resume("monitor-1");
    session.write("dy");
    expect(session.states).toEqual(["monitor-1 active"]);
    session.write("ready");
    expect(session.states).toEqual(["monitor-1 matched"]);
  });

  test("a matched monitor is matched again once it is resumed, without another event", async () => {
    await session.add(CONTAINS);
    session.write("ready");
    session.monitors.pause("monitor-1");
    session.monitors.resume("monitor-1");
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched", "monitor-1 paused", "monitor-1 resumed"]);
    expect(session.states).toEqual(["monitor-1 matched"]);
  });

  test("silence and intervals count from the resumption", async () => {
    await session.add({ kind: "output_quiet", duration_ms: 50 });
    await session.add(EXIT, { notify: { kind: "interval", interval_ms: 50 } });
    for (const id of ["monitor-1", "monitor-2"]) session.monitors.pause(id);
    expect(clock.pending).toBe(0);
    await clock.advance(500);
    for (const id of ["monitor-1", "monitor-2"]) session.monitors.resume(id);
    await clock.advance(49);
    expect(session.told.length).toBe(4);
    await clock.advance(1);
    expect(session.told.slice(4)).toEqual(["monitor-1 matched", "monitor-2 interval"]);
  });

  test("an update keeps the id and its place, and forgets what was found", async () => {
    await session.add(CONTAINS);
    await session.add(EXIT);
    session.write("ready, rea");
    session.monitors.update("monitor-1", await session.check(CONTAINS));
    session.write("dy");
    expect(session.states).toEqual(["monitor-1 active", "monitor-2 active"]);
    session.write("ready");
    expect(session.told).toEqual(["monitor-1 matched", "monitor-1 updated", "monitor-1 matched"]);
  });
});

describe("idle monitors", () => {
  test("that are driven by events have no timer at all", async () => {
    const sessions = Array.from({ length: 10 }, () => new ScriptedSession(clock));
    for (const one of sessions) {
      for (let index = 0; index < 30; index += 1) {
        const condition = [EXIT, CONTAINS, { kind: "screen_matches", pattern: "x" } as const][
          index % 3
        ];
        if (condition !== undefined) await one.add(condition);
      }
    }
    await clock.advance(100);
    expect(clock.pending).toBe(0);
  });
});
