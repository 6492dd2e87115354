import type * as FileSystem from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { Observer, StateFolder, startAgent, stateOf } from "./claude/support.ts";

/** What a folder waits for before it answers, as one of a file server that is away. */
const server = vi.hoisted(() => ({ answers: Promise.resolve() }));

vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof FileSystem>();
  const opendir = async (...parameters: Parameters<typeof fs.opendir>) => {
    await server.answers;
    return fs.opendir(...parameters);
  };
  return { ...fs, opendir };
});

test("a folder that does not answer counts as failing after two seconds, keeps its runs, and is waited for once", async () => {
  const folder = new StateFolder();
  const agent = await startAgent();
  folder.write(agent.pid, stateOf(agent));
  const clock = new FakeClock(Date.now());
  const observer = new Observer({ clock });
  await observer.untilRun(agent.pid);
  await clock.advance(100);

  let answer = () => {};
  server.answers = new Promise((resolve) => {
    answer = resolve;
  });
  const from = observer.readings.all.length;
  let isRead = false;
  void observer.source.read().then(() => {
    isRead = true;
  });
  await clock.advance(1_900);
  expect(isRead).toBe(false);
  expect(observer.readings.all).toHaveLength(from);
  await clock.advance(200);
  await settled();
  expect(isRead).toBe(true);
  expect(observer.finding()).toMatchObject({ kind: "failing", fault: { code: "slow" } });
  expect(observer.run(agent.pid)).toBeDefined();
  await observer.source.read();

  answer();
  while (observer.finding()?.kind !== "rows") await clock.advance(1);
  expect(observer.run(agent.pid)).toBeDefined();
});
