import { join } from "node:path";
import { expect, it } from "vitest";
import { Observation } from "../../src/inventory/observation.ts";
import { TmuxSource } from "../../src/inventory/tmux.ts";
import { createMeasure } from "../../src/inventory/usage/measure.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock as clock } from "../../src/time/clock.ts";
import { Topics } from "../../src/topics/hub.ts";
import { offerUsage } from "../../src/topics/usage.ts";
import { onEnd, PrivateTmux, temporaryFolder } from "../inventory/support.ts";
import { until } from "../processes/support.ts";
import { EPOCH, folded, INSTANCE, TestSink } from "./support.ts";

it("a pane has a row, whether one process in it is busy or hundreds that are short-lived, until it is dead", async () => {
  const tmux = new PrivateTmux(join(temporaryFolder(), "s"));
  tmux.run("new-session", "-d", "-x", "80", "-y", "24", "read -r _");
  tmux.run("set-option", "-g", "remain-on-exit", "on");
  // Both end by themselves, should nobody end them.
  const busy = "const end = Date.now() + 30_000; while (Date.now() < end) {}";
  tmux.run("new-window", process.execPath, "-e", busy);
  const storm = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); /bin/true; done";
  tmux.run("new-window", "/bin/sh", "-c", storm);
  const table = createProcessTable({ clock });
  onEnd(() => table.close());
  const observation = new Observation(
    {
      clock,
      table,
      instance: INSTANCE,
      sources: [new TmuxSource({ clock, table, sockets: [tmux.socket] })],
      agentSources: [],
    },
    { observed: () => {}, bookmark: () => {}, stopped: () => {} },
  );
  const topics = new Topics({ clock });
  const measure = createMeasure({ clock, table });
  const outcomes = new Set<string>();
  offerUsage({
    topics,
    instance: INSTANCE,
    epoch: EPOCH,
    clock,
    observation,
    measure,
    onSample: ({ outcome }) => outcomes.add(outcome),
  });
  const sink = new TestSink();
  const reader = topics.connect(sink);
  onEnd(() => reader.end());
  (await reader.open("terminals.usage"))();
  const row = (pane: number) =>
    [...(folded("terminals.usage", sink.lines).get(INSTANCE)?.rows.values() ?? [])].find(({ id }) =>
      id.endsWith(`/${pane}`),
    );
  await until(() => row(0) !== undefined && row(1) !== undefined && row(2) !== undefined);
  // How much of a processor they get depends on what else the machine does.
  expect(row(0)?.cpu_percent).toBeLessThan(10);
  expect(row(1)?.cpu_percent).toBeGreaterThan(5);
  expect(row(1)?.cpu_percent).toBeLessThanOrEqual(110);
  expect(row(2)?.cpu_percent).toBeGreaterThan(5);
  expect(row(1)?.memory_bytes).toBeGreaterThan(20 * 1_048_576);
  expect(row(2)?.memory_bytes).toBeLessThan(20 * 1_048_576);
  tmux.run("send-keys", "-t", "%0", "", "Enter");
  await until(() => row(0) === undefined);
  expect(row(1)).toBeDefined();
  expect(row(2)).toBeDefined();
  expect([...outcomes]).toEqual(["rows"]);
});
