import { expect, test } from "vitest";
import { checkedDefinition } from "../../../src/host/monitors/check.ts";
import type { MonitorCondition } from "../../../src/host/monitors/definition.ts";
import { hostMonitors, type MonitorsFace } from "../../../src/host/monitors/monitors.ts";
import type { MonitoredSession } from "../../../src/host/monitors/session.ts";
import type { Terminal } from "../../../src/host/terminal.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { until } from "../../processes/support.ts";
import { serveHost } from "../channel/served-host.ts";

const open = hostMonitors(systemClock);

function seen(terminal: Terminal): MonitoredSession {
  return {
    workspaceRoot: "/",
    ring: terminal.ring,
    environment: terminal.options.environment,
    get lifecycle() {
      return terminal.state;
    },
    get exit() {
      return terminal.exit;
    },
    onOutput: (listener) => terminal.output.on(listener),
    screenText: async () => (await terminal.screen.capture({ scrollback: 0 })).text,
  };
}

/** Runs a script on a terminal with these monitors, which are there before its first output. */
async function run(script: string, conditions: readonly MonitorCondition[]) {
  const definitions = await Promise.all(
    conditions.map((condition) =>
      checkedDefinition(
        { condition, notify: { kind: "on_state_change" }, lifetime: { kind: "until_session_end" } },
        "/",
      ),
    ),
  );
  const { host } = await serveHost();
  const terminal = await host.open({
    sessionId: "s",
    cwd: "/",
    environmentName: null,
    isAgents: false,
    exec: ["/bin/sh", "-c", script],
    cols: 80,
    rows: 24,
  });
  const monitors = open(seen(terminal));
  for (const definition of definitions) monitors.add(definition);
  return { terminal, monitors };
}

const told = (monitors: MonitorsFace) =>
  monitors
    .inspect({ after: 0, max: 256 })
    .events.map(({ monitor_id, reason }) => `${monitor_id} ${reason}`);

test("the last words of a program are matched before its end is told, on the stream and on the screen", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { monitors } = await run("seq 1 20000; printf '\\033[31mgood\\033[0mbye'", [
      { kind: "process_exit" },
      { kind: "exit_code", exit_code: 0 },
      { kind: "output_matches", pattern: "20000*good?[0mbye" },
      { kind: "screen_matches", pattern: "20000*goodbye" },
    ]);
    await until(() => monitors.list().length === 0);
    const events = told(monitors);
    expect(events.slice(0, 2).sort()).toEqual([
      "monitor-3 state_changed",
      "monitor-4 state_changed",
    ]);
    expect(events.slice(2)).toEqual([
      "monitor-1 state_changed",
      "monitor-2 state_changed",
      "monitor-1 session_exit",
      "monitor-2 session_exit",
      "monitor-3 session_exit",
      "monitor-4 session_exit",
    ]);
  }
});

test("a flood is followed to its end by 30 matchers, and degrades none", async () => {
  const conditions = Array.from({ length: 30 }, (_, index) => ({
    kind: "output_matches" as const,
    pattern: index % 2 === 0 ? `never ${index}` : "1?9999*2?9999*done",
  }));
  const { monitors, terminal } = await run(
    "seq 100000 300000; echo done; exec sleep 987654",
    conditions,
  );
  await until(() => monitors.list()[1]?.state === "matched");
  const states = monitors.list().map(({ state }) => state);
  expect(states.filter((state) => state === "matched").length).toBe(15);
  expect(states.filter((state) => state === "active").length).toBe(15);
  // Far more than its ring holds.
  expect(terminal.ring.start).toBeGreaterThan(0);
});

test("the signal that ended a program is told", async () => {
  const { monitors } = await run("kill -KILL $$", [
    { kind: "signal", signal: "terminate" },
    { kind: "signal", signal: "kill" },
  ]);
  await until(() => monitors.list().length === 0);
  expect(told(monitors)[0]).toBe("monitor-2 state_changed");
});
