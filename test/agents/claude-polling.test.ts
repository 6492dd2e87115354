import type * as FileSystem from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";
import { FakeClock } from "../lib/fake-clock.ts";
import { Observer, StateFolder, startAgent, stateOf } from "./claude/support.ts";

/** Whether the kernel has no watch left to give. */
const kernel = vi.hoisted(() => ({ isExhausted: false }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof FileSystem>();
  const watch = (...parameters: Parameters<typeof fs.watch>) => {
    if (!kernel.isExhausted) return fs.watch(...parameters);
    throw Object.assign(new Error("no watch is left"), { code: "ENOSPC" });
  };
  return { ...fs, watch };
});

beforeEach(() => {
  kernel.isExhausted = true;
});

test("without a watch files are read every second, and the source says so", async () => {
  const folder = new StateFolder();
  const observer = new Observer();
  await observer.until(({ kind }) => kind === "rows");
  expect(observer.finding()).toMatchObject({ limited: { code: "polling" } });
  const agent = await startAgent();
  folder.write(agent.pid, stateOf(agent));
  await observer.source.read();
  folder.write(agent.pid, stateOf(agent, { status: "busy" }));
  observer.source.tick();
  await observer.untilRun(agent.pid, { status: "busy" });
  folder.remove(agent.pid);
  observer.source.tick();
  await observer.untilNoRun(agent.pid);
});

test("a watch is asked for again, and then nothing is said of a limit", async () => {
  const folder = new StateFolder();
  const clock = new FakeClock(Date.now());
  const observer = new Observer({ clock });
  await observer.until(({ kind }) => kind === "rows");
  kernel.isExhausted = false;
  // Not at once: what is exhausted is not asked for at every turn.
  observer.source.tick();
  await clock.advance(500);
  expect(observer.finding()).toMatchObject({ limited: { code: "polling" } });
  await clock.advance(1_000);
  observer.source.tick();
  const isWatched = () => {
    const finding = observer.finding();
    return finding?.kind === "rows" && finding.limited === undefined;
  };
  while (!isWatched()) await clock.advance(1);
  const agent = await startAgent();
  folder.write(agent.pid, stateOf(agent));
  while (observer.run(agent.pid) === undefined) await clock.advance(1);
});
