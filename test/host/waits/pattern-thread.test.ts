import { afterEach, beforeEach, expect, test } from "vitest";
import {
  PatternFailed,
  PatternThread,
  TEST_LIMIT_MS,
} from "../../../src/host/waits/pattern-thread.ts";
import { waitFor } from "../../../src/host/waits/wait.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { ScriptedSource } from "./scripted-source.ts";

/** Takes time that doubles with each character before it fails. */
const HOSTILE = "^(a+)+$";

let source: ScriptedSource;
let patterns: PatternThread;

beforeEach(() => {
  source = new ScriptedSource();
  patterns = new PatternThread(systemClock);
});

afterEach(() => patterns.close());

const match = (pattern: string, timeoutMs = 15_000) =>
  waitFor(
    source,
    { until: "match", pattern, from: 0, timeoutMs },
    { clock: systemClock, patterns },
  );

test("a pattern that takes too long fails alone, and holds the loop up for nothing", async () => {
  source.write(`${"a".repeat(60)}!`);
  let slowest = 0;
  let last = performance.now();
  const ticks = setInterval(() => {
    slowest = Math.max(slowest, performance.now() - last);
    last = performance.now();
  }, 1);
  const hostile = match(HOSTILE);
  const honest = match("ready");
  const failure = await hostile.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PatternFailed);
  expect(String(failure)).toContain(`within ${TEST_LIMIT_MS} ms, and was not`);
  source.write("\r\nready");
  expect(await honest).toBe("match");
  clearInterval(ticks);
  expect(slowest).toBeLessThan(TEST_LIMIT_MS);
  expect(source.listeners).toBe(0);
});

test("a pattern is not failed for the time in which its thread had no processor", async () => {
  const looks = [0, 0, 1, 40, TEST_LIMIT_MS];
  let last = 0;
  const worked = () => {
    last = looks.shift() ?? last;
    return last;
  };
  const busy = new PatternThread(systemClock, worked);
  source.write(`${"a".repeat(60)}!`);
  const wait = { until: "match", pattern: HOSTILE, from: 0, timeoutMs: 15_000 } as const;
  await expect(waitFor(source, wait, { clock: systemClock, patterns: busy })).rejects.toThrow(
    PatternFailed,
  );
  expect(looks).toEqual([]);
  busy.close();
});

test("waits for a match react at once, also with a megabyte of text before", async () => {
  for (let round = 0; round < 16; round += 1) source.write(Buffer.alloc(64 * 1024, "text\r\n"));
  // Past the start of the thread.
  expect(await match("text")).toBe("match");
  const took: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const wait = match(`marker ${round}$`);
    const idle = await match(`marker ${round}$`, 0);
    expect(idle).toBe("timeout");
    const began = performance.now();
    source.write(`marker ${round}`);
    expect(await wait).toBe("match");
    took.push(performance.now() - began);
    source.write("\r\n");
  }
  expect(took.sort((a, b) => a - b)[took.length >> 1]).toBeLessThan(50);
});

test("a hundred waits that find nothing do not hold a flood up", async () => {
  const controller = new AbortController();
  const waits = Array.from({ length: 100 }, (_, index) =>
    waitFor(
      source,
      { until: "match", pattern: `never ${index}$`, from: 0, timeoutMs: 60_000 },
      { clock: systemClock, patterns },
      controller.signal,
    ).catch((error: unknown) => error),
  );
  const chunk = Buffer.alloc(64 * 1024, "some text that comes and comes\r\n");
  let slowest = 0;
  for (let round = 0; round < 100; round += 1) {
    const began = performance.now();
    source.write(chunk);
    slowest = Math.max(slowest, performance.now() - began);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(slowest).toBeLessThan(200);
  controller.abort(new Error("enough"));
  for (const wait of waits) expect(await wait).toEqual(new Error("enough"));
  expect(source.listeners).toBe(0);
});
