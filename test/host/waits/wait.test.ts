import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InvalidPattern, MAX_PATTERN_BYTES } from "../../../src/host/waits/pattern.ts";
import { PatternThread } from "../../../src/host/waits/pattern-thread.ts";
import { type Wait, type Waited, waitFor } from "../../../src/host/waits/wait.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";
import { ScriptedSource } from "./scripted-source.ts";

/** Longer than any test has: it is not meant to pass. */
const LONG = 60_000;

let clock: FakeClock;
let source: ScriptedSource;
let patterns: PatternThread;

beforeEach(() => {
  clock = new FakeClock();
  source = new ScriptedSource();
  patterns = new PatternThread(clock);
});

afterEach(() => patterns.close());

const begin = (wait: Partial<Wait> & Pick<Wait, "until">, signal?: AbortSignal) =>
  waitFor(source, { timeoutMs: LONG, ...wait }, { clock, patterns }, signal);

const match = (pattern: string, more: Partial<Wait> = {}) =>
  begin({ until: "match", pattern, from: 0, ...more });

/** What a wait has answered by now. */
function answerOf(wait: Promise<Waited>) {
  const seen: { waited?: Waited } = {};
  void wait.then((waited) => {
    seen.waited = waited;
  });
  return seen;
}

describe("a wait for quiet", () => {
  test("counts from its beginning when nothing comes", async () => {
    source.write("old");
    await clock.advance(10_000);
    const seen = answerOf(begin({ until: "quiet", quietMs: 100 }));
    await clock.advance(99);
    expect(seen.waited).toBeUndefined();
    await clock.advance(1);
    expect(seen.waited).toBe("quiet");
  });

  test("counts from the last output, with one timer however much comes", async () => {
    const seen = answerOf(begin({ until: "quiet" }));
    for (let round = 0; round < 20; round += 1) {
      await clock.advance(400);
      source.write("more");
      expect(clock.pending).toBe(2);
    }
    await clock.advance(499);
    expect(seen.waited).toBeUndefined();
    await clock.advance(1);
    expect(seen.waited).toBe("quiet");
    expect(clock.pending).toBe(0);
  });

  test("says so when its program ends or has ended", async () => {
    const wait = begin({ until: "quiet" });
    source.exit();
    expect(await wait).toBe("exit");
    expect(await begin({ until: "quiet" })).toBe("exit");
  });

  test("runs into its time while output comes", async () => {
    const seen = answerOf(begin({ until: "quiet", timeoutMs: 1_000 }));
    for (let round = 0; round < 10; round += 1) {
      source.write("more");
      await clock.advance(100);
    }
    expect(seen.waited).toBe("timeout");
  });
});

describe("a wait for the end", () => {
  test("answers alike when it began before and after", async () => {
    const before = begin({ until: "exit" });
    source.write("last");
    source.exit();
    expect(await before).toBe("exit");
    expect(await begin({ until: "exit" })).toBe("exit");
  });

  test("answers that its time is over, and does not wait without any", async () => {
    const seen = answerOf(begin({ until: "exit", timeoutMs: 0 }));
    await clock.advance(0);
    expect(seen.waited).toBe("timeout");
  });
});

describe("a wait for a match", () => {
  test.each([
    ["across the pieces that it came in", ["rea", "dy\r\n"], "ready"],
    ["on text without its colours", ["\x1b[32mre\x1b[0mady"], "^ready$"],
    ["at the ends of lines", ["one\r\ntwo\r\nthree"], "^two$"],
    ["over several lines", ["one\r\ntwo\r\n"], "one\\ntwo"],
    ["on what was finally written", ["bad\rgood"], "^good$"],
    ["on a line that the terminal wrapped", [`${"x".repeat(79)}ma`, "tch"], "xmatch"],
    ["on a prompt with its space", ["\x1b[1m$ "], "\\$ $"],
  ])("finds it %s", async (_, pieces, pattern) => {
    const before = match(pattern);
    for (const piece of pieces) source.write(piece);
    expect(await before).toBe("match");
    expect(await match(pattern)).toBe("match");
    expect(source.listeners).toBe(0);
    expect(clock.pending).toBeLessThanOrEqual(1);
  });

  test("regards case unless told not to", async () => {
    source.write("READY");
    const strict = match("ready", { timeoutMs: 5 });
    expect(await match("ready", { ignoreCase: true })).toBe("match");
    await clock.advance(5);
    expect(await strict).toBe("timeout");
  });

  test("looks only at what comes after its offset, and after its call where none is given", async () => {
    source.write("$ make\r\n");
    const since = match("make", { from: source.end });
    const sinceNow = begin({ until: "match", pattern: "make" });
    source.write("made\r\n");
    source.exit();
    expect(await since).toBe("exit");
    expect(await sinceNow).toBe("exit");
  });

  test("tests the last output before it answers that the program ended", async () => {
    const wait = match("done");
    source.write("done");
    source.exit();
    expect(await wait).toBe("match");
    const none = match("never");
    expect(await none).toBe("exit");
  });

  test("tests once also without time, and before it answers that the time is over", async () => {
    source.write("there");
    const once = match("there", { timeoutMs: 0 });
    await clock.advance(0);
    expect(await once).toBe("match");
    const none = match("elsewhere", { timeoutMs: 0 });
    await clock.advance(0);
    expect(await none).toBe("timeout");
  });

  test("finds what came and went in a flood that no read would still show", async () => {
    const wait = match("needle");
    source.write("needle\r\n");
    for (let round = 0; round < 64; round += 1) {
      source.write(Buffer.alloc(64 * 1024, "hay\r\n"));
      await settled();
    }
    expect(await wait).toBe("match");
  });

  test("renders text once for all who look from the same offset", () => {
    const one = source.texts.take(0);
    const other = source.texts.take(0);
    expect(other).toBe(one);
    source.texts.giveBack(one);
    expect(source.texts.take(0)).toBe(one);
    source.texts.giveBack(one);
    source.texts.giveBack(one);
    expect(source.texts.take(0)).not.toBe(one);
  });

  test("tests at most one text at a time, and the newest", async () => {
    const wait = match("line 4999$");
    for (let line = 0; line < 5_000; line += 1) source.write(`line ${line}\r\n`);
    expect(await wait).toBe("match");
  });

  test("refuses a pattern that is none, before anything else", async () => {
    await expect(match("(")).rejects.toThrow(/must be a regular expression of JavaScript: .*\//);
    await expect(match("é".repeat(MAX_PATTERN_BYTES / 2 + 1))).rejects.toThrow("bytes, got 4098");
    await expect(begin({ until: "match" })).rejects.toThrow(InvalidPattern);
    expect(source.listeners).toBe(0);
  });
});

describe("any wait", () => {
  test.each(["quiet", "exit", "match"] as const)(
    "for %s ends when the terminal is gone",
    async (until) => {
      const wait = begin({ until, pattern: "x" });
      source.close();
      expect(await wait).toBe("closed");
      expect(await begin({ until, pattern: "x" })).toBe("closed");
      expect(source.listeners).toBe(0);
    },
  );

  test.each(["quiet", "exit", "match"] as const)(
    "for %s ends when it is cancelled",
    async (until) => {
      const controller = new AbortController();
      const wait = begin({ until, pattern: "x" }, controller.signal);
      controller.abort(new Error("no longer wanted"));
      await expect(wait).rejects.toThrow("no longer wanted");
      await expect(begin({ until, pattern: "x" }, controller.signal)).rejects.toThrow("no longer");
      expect(source.listeners).toBe(0);
      // What may still be there is the one that ends an idle thread.
      expect(clock.pending).toBeLessThanOrEqual(1);
    },
  );

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])(
    "refuses a time of %s",
    async (timeoutMs) => {
      await expect(begin({ until: "exit", timeoutMs })).rejects.toThrow(`got ${timeoutMs}`);
      await expect(begin({ until: "quiet", quietMs: timeoutMs })).rejects.toThrow(
        "`quietMs` must be",
      );
    },
  );
});
