import { expect, onTestFinished, test } from "vitest";
import { BOOKMARK_MS } from "../../../src/contract/envelope.ts";
import { Observation } from "../../../src/inventory/observation.ts";
import type { TerminalSource } from "../../../src/inventory/terminal.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable } from "../../lib/fake-table.ts";

test("bookmarks keep their rhythm however long readings take, and none comes without a reading", async () => {
  const clock = new FakeClock();
  const readings: number[] = [];
  const bookmarks: number[] = [];
  const slow: TerminalSource = {
    scheme: "slow",
    start: () => {},
    stop: () => {},
    wake: () => {},
    tick: () => {},
    read: () => {
      readings.push(clock.monotonic());
      return new Promise((resolve) => clock.schedule(700, () => resolve()));
    },
  };
  const observation = new Observation(
    { clock, table: new FakeTable(), instance: "0".repeat(32), sources: [slow], agentSources: [] },
    {
      observed: () => {},
      bookmark: () => bookmarks.push(clock.monotonic()),
      stopped: () => {},
    },
  );
  observation.acquire();
  onTestFinished(() => observation.release());
  for (let second = 0; second < 45; second += 1) await clock.advance(1_000);
  expect(readings).toEqual([1, 2, 3, 4].map((count) => count * BOOKMARK_MS));
  expect(bookmarks).toEqual(readings.map((began) => began + 700));
});
